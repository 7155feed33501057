// The narration beside the canvas: what it says of a question, and how it and the canvas speak of the same things.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {framesDrawn, open, ready, settle, stateOf} from './support/playground.mjs';
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
  const page = await openLesson('?lesson=self-attention&lang=en&step=8', {
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
  for (const [step, expected] of [['playground.goTo(9)', 'To answer'], ["playground.setParameter('d_k', 4)", 'Not yet'],
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
  const event = {lesson: 'self-attention', step: 9, userInitiated: false, composed: true};
  assert.deepEqual(await page.evaluate(() => globalThis.answers), [{...event, answer: 'wrong'}, {...event, answer: 'right'}]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [layout, viewport] of Object.entries(kSizes)) {
  test(`the answer is on screen where the narration is a ${layout}`, async () => {
    const page = await openLesson('?lesson=self-attention&lang=zh&step=9', {viewport});
    await settle(page);
    await page.getByText('待回答').locator('visible=true').first().waitFor();
    await page.context().close();
  });
}

const lit = (page) =>
  page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.narration').dataset.lit);

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

test('a block under the pointer tints the words of its role and no others', async () => {
  const page = await openLesson('?lesson=self-attention&lang=zh&step=7', {reducedMotion: 'reduce'});
  await settle(page);
  const backgrounds = (role) => page.evaluate((name) => [...document.querySelector('attention-playground').shadowRoot
    .querySelectorAll(`.full b.${name}`)].map((word) => getComputedStyle(word).backgroundColor), role);
  const all = ['', 'q', 'k', 'v', 'out'];
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
  assert.ok(['', 'v', 'out', 'q', 'k'].every((role) => seen.has(role)), [...seen].join());
  await page.context().close();
});
