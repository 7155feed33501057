// The lesson in a page: by mouse, by keyboard, by touch, through the element's methods, and as text.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {forwardButton, framesDrawn, open, pageWith, parameter, ready, settle, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kElement = '<attention-playground lesson="mask-equivalence" lang="en" theme="light" loading="eager"></attention-playground>';
const kFullPage = '<style>attention-playground { height: 100vh !important }</style>';

const narration = (page) =>
  page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.narration').innerText);

const command = (page, body) =>
  page.evaluate((text) => new Function('playground', text)(document.querySelector('attention-playground')), body);

test('each step with both masks on says 0 ULP for every tensor', async () => {
  const page = await open(browser, site, {query: '?lang=en'});
  await ready(page);
  const {steps} = await stateOf(page);
  let masked = 0;
  for (let step = 1; step <= steps; step++) {
    await command(page, `playground.goTo(${step})`);
    const {verdict, announcement, parameters} = await stateOf(page);
    const value = (name) => parameters.find((one) => one.name === name).value;
    assert.ok(verdict.total > 10);
    if (!value('training_mask') || !value('inference_mask')) continue;
    masked += 1;
    assert.equal(verdict.equal, verdict.total, `step ${step}`);
    assert.equal(verdict.ulp, 0);
    assert.match(announcement, /0 ULP/);
  }
  assert.ok(masked >= 3);
  await page.context().close();
});

test('with the training mask off the page and the state show a difference', async () => {
  const page = await open(browser, site, {query: '?lang=en'});
  await ready(page);
  await command(page, "playground.goTo(3); playground.setParameter('training_mask', 0)");
  await settle(page);
  const {verdict, announcement} = await stateOf(page);
  assert.ok(verdict.equal < verdict.total);
  assert.ok(verdict.ulp > 0);
  assert.equal(verdict.first_different, 'decoder.0.self_attention.weights');
  assert.match(announcement, /largest difference/);
  assert.equal(
    await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('[aria-live]').textContent),
    announcement,
  );
  await page.context().close();
});

test('the mouse steps, and so do the arrow keys; undo and redo follow', async () => {
  const page = await open(browser, site, {query: '?lang=en'});
  await ready(page);
  const button = await forwardButton(page, {from: 200});
  assert.equal((await stateOf(page)).step, 1);
  await page.mouse.click(button.x, button.y);
  await settle(page);
  assert.equal((await stateOf(page)).step, 2);
  await page.keyboard.press('ArrowRight');
  await settle(page);
  assert.equal((await stateOf(page)).step, 3);
  await page.keyboard.press('ArrowLeft');
  await settle(page);
  assert.equal((await stateOf(page)).step, 2);
  await command(page, 'playground.undo()');
  assert.equal((await stateOf(page)).step, 3);
  await command(page, 'playground.redo()');
  assert.equal((await stateOf(page)).step, 2);
  await page.context().close();
});

test('events say what happened and who did it', async () => {
  const page = await open(browser, site, {
    query: '?lang=en',
    init: `globalThis.seen = [];
      for (const name of ['attn-ready', 'attn-stepchange', 'attn-statechange', 'attn-error']) {
        addEventListener(name, (event) => seen.push([name, event.detail.step ?? event.detail.userInitiated ?? event.detail.code]));
      }`,
  });
  await ready(page);
  await command(page, 'playground.stepForward()');
  await page.mouse.click(700, 20); // nothing is there; the canvas has the focus
  await page.keyboard.press('ArrowRight');
  await settle(page);
  assert.deepEqual(await page.evaluate(() => globalThis.seen), [
    ['attn-ready', undefined],
    ['attn-stepchange', 2], ['attn-statechange', false],
    ['attn-stepchange', 3], ['attn-statechange', true],
  ]);
  await page.context().close();
});

test('keys that mean nothing to the playground stay with the page', async () => {
  const page = await open(browser, site, {html: pageWith(kElement, kFullPage)});
  await ready(page);
  await page.evaluate(() => {
    globalThis.kept = [];
    addEventListener('keydown', (event) => { if (event.defaultPrevented) globalThis.kept.push(event.key); });
    document.querySelector('attention-playground').shadowRoot.querySelector('canvas').focus();
  });
  for (const key of ['F2', 'x', 'PageDown', 'Control+k', 'Backspace', 'ArrowRight']) await page.keyboard.press(key);
  assert.deepEqual(await page.evaluate(() => globalThis.kept), ['ArrowRight']);
  await page.context().close();
});

test('a click lands where the reader sees the button, also in a page scaled by CSS', async () => {
  const page = await open(browser, site, {
    html: pageWith(`<div style="transform: scale(0.5); transform-origin: 0 0; width: 1280px">${kElement}</div>`,
      '<style>attention-playground { height: 800px !important }</style>'),
  });
  await ready(page);
  const button = await forwardButton(page, {from: 100, above: 20});
  await page.mouse.click(button.x - 6, button.y);
  await settle(page);
  assert.equal((await stateOf(page)).step, 2);
  await page.context().close();
});

test('a tap steps once, a finger that scrolls the page steps not at all', async () => {
  const phone = {viewport: {width: 390, height: 844}, hasTouch: true, dpr: 2};
  const page = await open(browser, site, {...phone, html: pageWith(kElement, kFullPage)});
  await ready(page);
  const button = await forwardButton(page);
  await settle(page);
  await page.touchscreen.tap(button.x, button.y);
  await settle(page);
  assert.equal((await stateOf(page)).step, 2);
  // The browser takes a finger that scrolls away from the page with pointercancel.
  await page.evaluate(({x, y}) => {
    const canvas = document.querySelector('attention-playground').shadowRoot.querySelector('canvas');
    const send = (type, clientY) => canvas.dispatchEvent(new PointerEvent(type, {
      pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true, clientX: x, clientY,
    }));
    send('pointerdown', y);
    send('pointermove', y - 5);
    send('pointercancel', y - 5);
  }, button);
  await settle(page);
  assert.equal((await stateOf(page)).step, 2);
  const action = await page.evaluate(() =>
    getComputedStyle(document.querySelector('attention-playground').shadowRoot.querySelector('canvas')).touchAction);
  assert.equal(action, 'pan-y pinch-zoom');
  await page.context().close();
});

test('the narration is text of the page in the language of the element, with its formula and table', async () => {
  const page = await open(browser, site, {query: '?lang=zh&step=3'});
  await ready(page);
  const state = await stateOf(page);
  const text = await narration(page);
  assert.match(text, /softmax/);
  assert.ok(text.includes(state.title));
  assert.match(text, /[\u4e00-\u9fff]/);
  const parts = await page.evaluate(() => {
    const root = document.querySelector('attention-playground').shadowRoot;
    return {
      math: root.querySelectorAll('.narration math *').length,
      rows: root.querySelectorAll('.narration tbody tr').length,
      cells: root.querySelectorAll('.narration tbody td').length,
      lang: root.querySelector('.narration').lang,
    };
  });
  assert.ok(parts.math > 3);
  assert.equal(parts.rows, state.table.rows.length);
  assert.equal(parts.cells, state.table.rows.length * state.table.columns.length);
  assert.equal(parts.lang, 'zh-Hans');
  await command(page, "playground.lang = 'en'");
  await settle(page);
  assert.ok((await narration(page)).includes((await stateOf(page)).title));
  assert.doesNotMatch(await narration(page), /[\u4e00-\u9fff]/);
  await page.context().close();
});

test('an open card has nothing of the narration over it, on any width: it is hidden, or dim beside the card', async () => {
  for (const width of [1280, 900, 390]) {
    const page = await open(browser, site, {query: '?lang=en&step=3', viewport: {width, height: 800}});
    await ready(page);
    const shown = () => page.evaluate(() => {
      const element = document.querySelector('attention-playground').shadowRoot.querySelector('.narration');
      const {opacity, pointerEvents} = getComputedStyle(element);
      const {left, top, bottom} = element.getBoundingClientRect();
      return {area: element.clientWidth * element.clientHeight, text: element.textContent, opacity, pointerEvents, left, top, bottom};
    });
    const {title} = await stateOf(page);
    await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('canvas').focus());
    assert.ok((await shown()).area > 10000, `${width}`);
    await page.keyboard.press('?');
    await settle(page);
    const under = await shown();
    if (under.area > 1) {
      assert.ok(under.opacity < 0.5 && under.pointerEvents === 'none', `${width}`);
      const beside = under.left >= width / 2 + 210 || under.top >= 400 + 196 || under.bottom <= 400 - 196;
      assert.ok(beside, `${width}`); // the card of keys is 420 by 392, in the middle
    }
    assert.ok((await shown()).text.includes(title)); // still there to be read aloud
    await page.keyboard.press('Escape');
    await settle(page);
    assert.ok((await shown()).area > 10000 && (await shown()).opacity > 0.9, `${width}`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('the page’s language and the system’s theme are followed while the attributes leave them open', async () => {
  const page = await open(browser, site, {
    html: pageWith('<attention-playground loading="eager"></attention-playground>').replace('lang="en"', 'lang="zh-CN"'),
    colorScheme: 'dark',
  });
  await ready(page);
  assert.equal((await stateOf(page)).lang, 'zh');
  const theme = () => page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.root').dataset.theme);
  assert.equal(await theme(), 'dark');
  await page.emulateMedia({colorScheme: 'light'});
  await page.evaluate(() => { document.documentElement.lang = 'en'; });
  await settle(page);
  assert.equal(await theme(), 'light');
  assert.equal((await stateOf(page)).lang, 'en');
  await page.context().close();
});

test('what playing changes by itself is no deed of the reader', async () => {
  const page = await open(browser, site, {query: '?lang=en', reducedMotion: 'reduce', init: `globalThis.seen = [];
    addEventListener('attn-statechange', (event) => seen.push(event.detail.userInitiated));`});
  await ready(page);
  await command(page, 'playground.play()');
  await page.waitForFunction(() => globalThis.seen.length > 1, null, {timeout: 12_000});
  await command(page, 'playground.pause()');
  await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('canvas').focus());
  const played = await page.evaluate(() => globalThis.seen.splice(0));
  assert.ok(played.every((deed) => deed === false), String(played));
  await page.keyboard.press('Home');
  await settle(page);
  assert.deepEqual(await page.evaluate(() => globalThis.seen), [true]);
  await page.context().close();
});

test('playing goes from step to step and pausing stops it without another frame', async () => {
  const page = await open(browser, site, {query: '?lang=en', reducedMotion: 'reduce'});
  await ready(page);
  const prefix = await parameter(page, 'prefix');
  await command(page, 'playground.play()');
  await page.waitForFunction((first) => {
    const state = document.querySelector('attention-playground').getState();
    return state.parameters.find((one) => one.name === 'prefix').value > first;
  }, prefix, {timeout: 8000});
  await command(page, 'playground.pause()');
  await settle(page);
  const drawn = await framesDrawn(page);
  await page.waitForTimeout(2000);
  assert.equal(await framesDrawn(page), drawn);
  await page.context().close();
});
