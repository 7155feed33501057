// The narration beside the canvas: what it says of a question, and how it and the canvas speak of the same things.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {framesDrawn, open, pageWith, ready, settle, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kSizes = {panel: {width: 1280, height: 800}, strip: {width: 900, height: 620}, brief: {width: 390, height: 844}};

const openLesson = async (query, options = {}) => {
  const page = await open(browser, site, {query, ...options});
  await ready(page);
  return page;
};

const command = (page, body) =>
  page.evaluate((text) => new Function('playground', text)(document.querySelector('attention-playground')), body);

test('a question says how far it is answered: in words, with a mark, aloud and as an event', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=9', {
    init: `globalThis.answers = [];
      addEventListener('attn-answer', ({detail, composed}) => answers.push({...detail, composed}));`,
  });
  const status = () => page.evaluate(() => {
    const root = document.querySelector('attention-playground').shadowRoot;
    const [element] = root.querySelectorAll('.full .answer');
    return element && {
      text: element.textContent, colour: getComputedStyle(element).color,
      mark: ['borderRadius', 'borderTopWidth', 'backgroundImage'].map((name) => getComputedStyle(element, '::before')[name]).join(),
      live: root.querySelector('[aria-live]').textContent,
    };
  });
  assert.equal(await status(), undefined);
  const seen = [];
  for (const [step, expected] of [['playground.goTo(10)', 'To answer'], ["playground.setParameter('d_k', 4)", 'Not yet'],
    ["playground.setParameter('d_v', 3)", 'Right']]) {
    await command(page, step);
    const now = await status();
    assert.equal(now.text, expected);
    assert.ok(now.live.includes(expected), now.live);
    seen.push(now);
  }
  assert.equal(new Set(seen.map(({mark}) => mark)).size, 3, 'colour alone would tell the answers apart');
  assert.equal(new Set(seen.map(({colour}) => colour)).size, 3);
  await command(page, "playground.lang = 'zh'");
  assert.equal((await status()).text, '答对了');
  const event = {lesson: 'self-attention', step: 10, userInitiated: false, composed: true};
  assert.deepEqual(await page.evaluate(() => globalThis.answers), [{...event, answer: 'wrong'}, {...event, answer: 'right'}]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [layout, viewport] of Object.entries(kSizes)) {
  test(`the answer is on screen where the narration is a ${layout}`, async () => {
    const page = await openLesson('?lesson=self-attention&lang=zh&step=10', {viewport});
    await settle(page);
    await page.getByText('待回答').locator('visible=true').first().waitFor();
    await page.context().close();
  });
}

/** Classes of the words that are lit, but for those that name a tensor, which have none. */
const lit = (page) => page.evaluate(() => [...new Set([...document.querySelector('attention-playground').shadowRoot
  .querySelectorAll('.full .lit')].map((word) => word.className.replace('lit', '').trim()))].join());

test('a word of the narration under the pointer outlines the blocks of its role, with frames only when it changes', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=2', {reducedMotion: 'reduce'});
  await settle(page);
  const canvas = async () => {
    await settle(page);
    return page.screenshot({clip: {x: 200, y: 60, width: 770, height: 660}});
  };
  const before = await canvas();
  const word = await page.locator('.full b.q').last().boundingBox();
  await page.mouse.move(word.x + word.width / 2, word.y + word.height / 2);
  const outlined = await canvas();
  assert.ok(!outlined.equals(before));
  assert.equal(await lit(page), 'q');
  const drawn = await framesDrawn(page);
  await page.mouse.move(word.x + word.width / 2 + 2, word.y + word.height / 2);
  await page.waitForTimeout(500);
  assert.equal(await framesDrawn(page), drawn, 'the same word again is no news');
  await page.mouse.move(word.x, word.y - 300);
  assert.ok((await canvas()).equals(before));
  assert.equal(await lit(page), '');
  await page.mouse.move(word.x, word.y - 310);
  const rest = await framesDrawn(page);
  await page.waitForTimeout(500);
  assert.equal(await framesDrawn(page), rest);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a word that names a tensor outlines the panes and the rows of the map that show it', async () => {
  const page = await openLesson('?lesson=mask-equivalence&lang=en&step=1', {reducedMotion: 'reduce'});
  await settle(page);
  const canvas = async () => {
    await settle(page);
    return page.screenshot({clip: {x: 200, y: 60, width: 770, height: 660}});
  };
  const before = await canvas();
  const word = await page.locator('.full b[data-topic]', {hasText: 'scores'}).first().boundingBox();
  await page.mouse.move(word.x + word.width / 2, word.y + word.height / 2);
  assert.ok(!(await canvas()).equals(before));
  assert.ok(await page.locator('.full b.lit').count() > 0);
  await page.mouse.move(word.x, word.y - 300);
  assert.ok((await canvas()).equals(before));
  assert.equal(await page.locator('.full b.lit').count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a block under the pointer tints the words of its role and no others', async () => {
  const page = await openLesson('?lesson=self-attention&lang=zh&step=7', {reducedMotion: 'reduce'});
  await settle(page);
  const backgrounds = (role) => page.evaluate((name) => [...document.querySelector('attention-playground').shadowRoot
    .querySelectorAll(`.full b.${name}`)].map((word) => getComputedStyle(word).backgroundColor), role);
  const all = ['', 'v', 'out'];
  const seen = new Set();
  for (let y = 130; y < 620 && seen.size < all.length; y += 60) {
    for (let x = 220; x < 960; x += 50) {
      await page.mouse.move(x, y);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const role = await lit(page);
      if (seen.has(role)) continue;
      seen.add(role);
      if (role !== 'v' && role !== 'out') continue;
      const other = role === 'v' ? 'out' : 'v';
      assert.ok((await backgrounds(role)).every((colour) => colour !== 'rgba(0, 0, 0, 0)'), role);
      assert.ok((await backgrounds(other)).every((colour) => colour === 'rgba(0, 0, 0, 0)'), other);
    }
  }
  assert.deepEqual([...seen].sort(), all.sort());
  await page.context().close();
});

const card = (page) => page.evaluate(() => {
  const root = document.querySelector('attention-playground').shadowRoot;
  const element = root.querySelector('.card');
  const box = element.getBoundingClientRect();
  return element.textContent && {
    text: element.textContent, left: box.left, top: box.top, right: box.right, bottom: box.bottom,
    expanded: root.querySelector('[aria-expanded=true].term')?.textContent,
  };
});

for (const [layout, viewport] of Object.entries(kSizes)) {
  for (const lang of ['zh', 'en']) {
    test(`a term opens its card on screen and closes it, by pointer: ${layout} in ${lang}`, async () => {
      const page = await openLesson(`?lesson=self-attention&lang=${lang}&step=4`, {viewport, hasTouch: layout === 'brief'});
      await settle(page);
      if (layout !== 'panel') await page.locator('.more').click();
      for (const word of await page.locator('.full .term').all()) {
        await (layout === 'brief' ? word.tap() : word.click());
        const shown = await card(page);
        assert.ok(shown.text.length > 8, shown.text);
        assert.equal(shown.expanded, await word.textContent());
        assert.ok(shown.left >= 0 && shown.top >= 0 && shown.right <= viewport.width && shown.bottom <= viewport.height,
          JSON.stringify(shown));
        const line = await word.boundingBox();
        assert.ok(shown.top >= line.y + line.height || shown.bottom <= line.y, 'the card lies over its word');
        await (layout === 'brief' ? word.tap() : word.click());
        assert.equal(await card(page), '');
      }
      await page.locator('.full .term').first().click();
      await page.locator('.full h2').click();
      assert.equal(await card(page), '');
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}

test('terms are reached, opened and closed by the keyboard, and Tab goes on from them', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=4');
  await settle(page);
  const focused = () => page.evaluate(() => document.querySelector('attention-playground').shadowRoot.activeElement?.textContent);
  const words = await page.locator('.full .term').allTextContents();
  assert.ok(words.length >= 3 && words.includes('query'), words.join());
  await page.locator('.full .term').first().focus();
  for (const [key, word] of [['Enter', words[0]], [' ', words[1]]]) {
    assert.equal(await focused(), word);
    await page.keyboard.press(key);
    assert.equal((await card(page)).expanded, word);
    await page.keyboard.press('Escape');
    assert.equal(await card(page), '');
    assert.equal(await focused(), word);
    await page.keyboard.press(key);
    await page.keyboard.press('Tab');
    assert.equal(await card(page), '', 'what the focus leaves closes');
  }
  assert.equal(await focused(), words[2]);
  await page.context().close();
});

test('a card closes when the step changes, and the word keeps the focus where the new text has it too', async () => {
  const page = await openLesson('?lesson=self-attention&lang=zh&step=4');
  await settle(page);
  const word = page.locator('.full .term', {hasText: '查询'});
  await word.click();
  assert.match((await card(page)).text, /^查询 query/);
  await command(page, "playground.setParameter('d_k', 3)"); // √dₖ in the text changes
  assert.equal(await card(page), '');
  assert.equal(await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.activeElement?.textContent), '查询');
  await page.context().close();
});

test('the keyboard opens the whole narration where it shows one sentence', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=4', {viewport: kSizes.strip});
  await settle(page);
  await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.full .term').focus());
  assert.equal(await page.locator('.more').getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.more').getAttribute('aria-expanded'), 'false');
  await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('canvas').focus());
  assert.equal(await page.locator('.more').getAttribute('aria-expanded'), 'false');
  await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.full .term').focus());
  assert.equal(await page.locator('.more').getAttribute('aria-expanded'), 'true');
  await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('canvas').focus());
  assert.equal(await page.locator('.more').getAttribute('aria-expanded'), 'false', 'it closes when the focus leaves');
  await page.context().close();
});

test('a page that demands trusted types gets the terms and their cards', async () => {
  const policy = '<meta http-equiv="Content-Security-Policy" content="require-trusted-types-for \'script\'">';
  const page = await open(browser, site, {html: pageWith(
    '<attention-playground lesson="self-attention" step="4" lang="en" loading="eager"></attention-playground>',
    `${policy}<style>attention-playground { height: 800px !important }</style>`)});
  await ready(page);
  await page.locator('.full .term').first().click();
  assert.match((await card(page)).text, /^query/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

// The cell with the focus, the selected one and the one that the Tab key reaches, as [row, column] counted in the table.
const cells = (page) => page.evaluate(() => {
  const root = document.querySelector('attention-playground').shadowRoot;
  const place = (cell) => (cell?.tagName === 'TD' ? [cell.parentElement.sectionRowIndex, cell.cellIndex - 1] : null);
  return {
    focused: place(root.activeElement),
    selected: [...root.querySelectorAll('tbody [aria-selected=true]')].map(place),
    stops: [...root.querySelectorAll('tbody [tabindex="0"]')].map(place),
    roles: [root.querySelector('table').getAttribute('role'), ...new Set([...root.querySelectorAll('tbody td')].map((cell) => cell.getAttribute('role')))],
    scroll: root.querySelector('.values .scroll').scrollLeft,
  };
});
const focusOf = async (page) => {
  const {focus} = await stateOf(page);
  return [focus.row, focus.column];
};

test('the table is a grid with one tab stop, and moving in it moves the cell on the canvas', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=4', {
    init: "globalThis.seen = []; addEventListener('attn-statechange', (event) => seen.push(event.detail.userInitiated));",
  });
  await settle(page);
  await page.locator('.values summary').click();
  await page.keyboard.press('Tab');
  assert.deepEqual(await cells(page), {...await cells(page), focused: [3, 1], selected: [[3, 1]], stops: [[3, 1]], roles: ['grid', 'gridcell']});
  for (const [key, at] of [['ArrowLeft', [3, 0]], ['ArrowLeft', [3, 0]], ['ArrowUp', [2, 0]], ['ArrowRight', [2, 1]], ['End', [2, 3]],
    ['ArrowDown', [3, 3]], ['ArrowDown', [3, 3]], ['Home', [3, 0]], ['Control+Home', [0, 0]], ['Control+End', [3, 3]]]) {
    await page.keyboard.press(key);
    const now = await cells(page);
    assert.deepEqual([now.focused, now.selected, now.stops], [at, [at], [at]], key);
    assert.deepEqual(await focusOf(page), at, key);
  }
  await page.locator('.values tbody tr').nth(1).locator('td').nth(2).click();
  assert.deepEqual(await focusOf(page), [1, 2]);
  assert.ok((await page.evaluate(() => globalThis.seen)).every((byReader) => byReader));
  await page.keyboard.press('Tab');
  assert.equal((await cells(page)).focused, null, 'Tab leaves the table');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a cell chosen on the canvas is chosen in the table, which leaves the focus where it is', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=4', {reducedMotion: 'reduce'});
  await settle(page);
  await page.locator('.values summary').click();
  await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('canvas').focus());
  const chosen = new Set();
  for (let y = 200; y < 600 && chosen.size < 3; y += 36) {
    for (let x = 220; x < 960 && chosen.size < 3; x += 36) {
      await page.mouse.click(x, y);
      await settle(page, 'attention-playground', 40);
      const {focus, table} = await stateOf(page);
      if (focus.row < 0) continue;
      const now = await cells(page);
      assert.equal(now.focused, null);
      assert.deepEqual(now.selected, focus.row < table.rows.length ? [[focus.row, focus.column]] : []);
      chosen.add(`${focus.tensor} ${focus.row} ${focus.column}`);
    }
  }
  assert.equal(chosen.size, 3);
  assert.equal(await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.activeElement.tagName), 'CANVAS');
  await page.context().close();
});

test('new values keep focus and scroll of the table, another shape keeps them as near as it can', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=2');
  await settle(page);
  await page.locator('.values summary').click();
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  const before = await cells(page);
  assert.deepEqual(before.focused, [3, 4]);
  assert.ok(before.scroll > 0);
  const texts = () => page.locator('.values tbody').textContent();
  const values = await texts();
  await command(page, "playground.setParameter('seed', 3)");
  assert.notEqual(await texts(), values);
  assert.deepEqual(await cells(page), before);
  await command(page, "playground.setParameter('d_k', 2)");
  assert.deepEqual((await cells(page)).focused, [3, 1]);
  assert.deepEqual((await cells(page)).stops.length, 1);
  await page.context().close();
});
