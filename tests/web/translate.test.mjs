// The lesson whose weights are a file of their own: fetched when it is opened, told when it can't be.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {open, pageWith, ready, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kWeights = '**/models/translator.safetensors';
const openLesson = (page, lesson) => page.evaluate((name) => document.querySelector('attention-playground').open(name), lesson);
const written = (state) => state.table.rows.map(({head}) => head.split(': ')[1]).join('');
const busy = (page) => page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.root').ariaBusy);

async function openAt(lesson) {
  const page = await open(browser, site, {html: pageWith(`<attention-playground lesson="${lesson}" lang="en" loading="eager"></attention-playground>`),
    init: "globalThis.errors = []; addEventListener('attn-error', (event) => globalThis.errors.push(event.detail))"});
  page.weights = 0;
  page.on('request', (request) => { if (request.url().endsWith('.safetensors')) page.weights += 1; });
  await ready(page);
  return page;
}

test('translate opens from another lesson by fetching its weights, once', async () => {
  const page = await openAt('self-attention');
  assert.equal(page.weights, 0);
  await openLesson(page, 'translate');
  await page.evaluate(() => document.querySelector('attention-playground').goTo(3));
  assert.equal((await stateOf(page)).lesson, 'translate');
  assert.equal(written(await stateOf(page)), '机器学习真好玩<eos>');
  await openLesson(page, 'positions');
  await openLesson(page, 'translate');
  assert.equal(page.weights, 1);
  assert.notEqual(await busy(page), 'true');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a page may begin with translate', async () => {
  const page = await openAt('translate');
  assert.equal((await stateOf(page)).lesson, 'translate');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [what, answer] of [['can’t be fetched', (route) => route.abort()],
  ['are missing', (route) => route.fulfill({status: 404, body: 'not here'})],
  ['are something else', (route) => route.fulfill({body: '<!doctype html><p>Welcome'})]]) {
  test(`weights that ${what} leave the reader where they are, are told, and can be asked for again`, async () => {
    const page = await openAt('self-attention');
    await page.evaluate(() => document.querySelector('attention-playground').goTo(3));
    await page.route(kWeights, answer);
    await page.evaluate(() => document.querySelector('attention-playground').setAttribute('lesson', 'translate'));
    await page.waitForFunction(() => globalThis.errors.length > 0);
    assert.deepEqual(await page.evaluate(() => globalThis.errors.map(({code}) => code)), ['lesson']);
    const {lesson, step, waiting} = await stateOf(page);
    assert.deepEqual([lesson, step, waiting], ['self-attention', 3, '']);
    assert.notEqual(await busy(page), 'true');
    assert.match(await page.locator('attention-playground .notice').innerText(), /could not be fetched.*(translator|weights)/s);
    await assert.rejects(openLesson(page, 'translate'), /could not be fetched/);
    await page.unroute(kWeights);
    await openLesson(page, 'translate');
    assert.equal((await stateOf(page)).lesson, 'translate');
    await page.context().close();
  });
}

test('while the weights come the element is busy, and a lesson chosen meanwhile wins', async () => {
  const page = await openAt('self-attention');
  await page.route(kWeights, async (route) => { await new Promise((resolve) => setTimeout(resolve, 500)); await route.continue(); });
  await page.evaluate(() => { globalThis.opening = document.querySelector('attention-playground').open('translate'); });
  await page.waitForFunction(() => document.querySelector('attention-playground').getState().waiting !== '');
  assert.equal(await busy(page), 'true');
  await openLesson(page, 'positions');
  await page.evaluate(() => globalThis.opening);
  assert.equal((await stateOf(page)).lesson, 'positions');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('an unknown word is named and a known one offered; another candidate is written and undone', async () => {
  const page = await openAt('translate');
  const refusal = await page.evaluate(() => {
    try {
      document.querySelector('attention-playground').setSentence('I love yuo');
    } catch ({detail, suggestions}) {
      return {detail, suggestions};
    }
    return null;
  });
  assert.match(refusal.detail, /yuo/);
  assert.ok(refusal.suggestions.includes('I love you'));
  await page.evaluate(() => {
    const playground = document.querySelector('attention-playground');
    playground.setSentence('I love you');
    playground.goTo(3);
  });
  assert.equal(written(await stateOf(page)), '我爱你<eos>');
  await page.evaluate(() => document.querySelector('attention-playground').setCell({tensor: 'decoder.0.tokens', row: 1, column: 0}, 2));
  assert.equal((await stateOf(page)).edits.length, 1);
  await page.evaluate(() => document.querySelector('attention-playground').undo());
  assert.equal(written(await stateOf(page)), '我爱你<eos>');
  await page.context().close();
});
