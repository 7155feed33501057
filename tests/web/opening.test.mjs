// Lessons are fetched when they are opened: which files that takes, and what happens when they don't come.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {open, pageWith, ready, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const {LESSON_FILES: kFiles} = await import(`file://${(await import('./support/site.mjs')).kSiteFolder}/lesson_files.js`);
const kLessons = Object.keys(kFiles);

// Opens the site's page with its wasm files noted in `page.fetched`, as 'playground.wasm', 'lessons/….wasm'.
async function openNoting(query = '', init = '') {
  const page = await open(browser, site, {html: '<!doctype html><title>wait</title>', init});
  page.fetched = [];
  page.on('request', (request) => {
    if (request.url().endsWith('.wasm')) page.fetched.push(request.url().slice(site.url.length));
  });
  await page.goto(site.url + query);
  await ready(page);
  return page;
}

const openLesson = (page, lesson) => page.evaluate((name) => document.querySelector('attention-playground').open(name), lesson);

test('a page fetches what its lesson needs and nothing of the others', async () => {
  for (const lesson of kLessons) {
    const page = await openNoting(`?lesson=${lesson}`);
    assert.equal((await stateOf(page)).lesson, lesson);
    assert.deepEqual(page.fetched.sort(), [...kFiles[lesson], 'playground.wasm'].sort());
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test('every lesson can be opened after every other, each file is fetched once', async () => {
  const page = await openNoting();
  for (const lesson of [...kLessons, ...kLessons.toReversed()]) {
    await openLesson(page, lesson);
    assert.equal((await stateOf(page)).lesson, lesson);
  }
  assert.deepEqual(page.fetched, [...new Set(page.fetched)]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a click in the list of lessons opens one that has to be fetched, as the reader’s deed', async () => {
  const page = await openNoting();
  const changed = page.evaluate(() => new Promise((resolve) => {
    document.querySelector('attention-playground').addEventListener('attn-statechange', (event) => resolve(event.detail), {once: true});
  }));
  await page.mouse.click(90, 136);
  assert.equal((await changed).userInitiated, true);
  assert.notEqual((await stateOf(page)).lesson, 'mask-equivalence');
  await page.context().close();
});

test('a lesson that can’t be fetched leaves the reader where they are, says so, and can be chosen again', async () => {
  const page = await openNoting('?lang=en&step=3');
  await page.evaluate(() => { globalThis.errors = []; addEventListener('attn-error', (event) => globalThis.errors.push(event.detail.code)); });
  const lost = '**/lessons/positions.wasm';
  await page.route(lost, (route) => route.abort());
  await page.evaluate(() => document.querySelector('attention-playground').setAttribute('lesson', 'positions'));
  await page.waitForFunction(() => globalThis.errors.length > 0);
  assert.deepEqual(await page.evaluate(() => globalThis.errors), ['lesson']);
  const {lesson, step} = await stateOf(page);
  assert.deepEqual([lesson, step], ['mask-equivalence', 3]);
  const said = await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.querySelector('.notice').innerText);
  assert.match(said, /could not be fetched.*positions\.wasm/s);
  await assert.rejects(openLesson(page, 'positions'), /could not be fetched/);
  await page.unroute(lost);
  await openLesson(page, 'positions');
  assert.equal((await stateOf(page)).lesson, 'positions');
  await page.context().close();
});

test('of two lessons asked for at once the last one opens, and a step named with a lesson is a step of it', async () => {
  const page = await openNoting();
  const slow = '**/lessons/positions.wasm';
  await page.route(slow, async (route) => { await new Promise((resolve) => setTimeout(resolve, 400)); await route.continue(); });
  await page.evaluate(() => {
    const playground = document.querySelector('attention-playground');
    playground.lesson = 'positions';
    playground.lesson = 'why-attention';
    playground.step = 4;
  });
  await page.waitForFunction(() => document.querySelector('attention-playground').step === 4);
  await page.waitForTimeout(600);
  const {lesson, step} = await stateOf(page);
  assert.deepEqual([lesson, step], ['why-attention', 4]);
  await page.context().close();
});

test('a lesson whose file is still being put in place opens when it is, not before', async () => {
  const page = await openNoting('', `{
    const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (module, imports) => {
      if (globalThis.holdNext && imports.base) {
        globalThis.holdNext = false;
        globalThis.held = true;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      return instantiate(module, imports);
    };
  }`);
  const shared = kFiles['self-attention'].find((file) => kFiles['why-attention'].includes(file));
  assert.ok(shared, 'two lessons share a file');
  await page.evaluate(async () => {
    const playground = document.querySelector('attention-playground');
    globalThis.holdNext = true;
    playground.open('self-attention');
    while (!globalThis.held) await new Promise((resolve) => setTimeout(resolve, 5));
    await playground.open('why-attention');
  });
  assert.equal((await stateOf(page)).lesson, 'why-attention');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('an element taken away while it fetches a lesson leaves quietly', async () => {
  const page = await openNoting();
  await page.route('**/lessons/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.abort();
  });
  await page.mouse.click(90, 136);
  await page.waitForFunction(() => document.querySelector('attention-playground').shadowRoot.querySelector('.root[aria-busy=true]'));
  await page.evaluate(() => document.querySelector('attention-playground').remove());
  await page.waitForTimeout(700);
  assert.deepEqual(page.problems.filter((problem) => !problem.includes('Failed to load resource')), []);
  await page.context().close();
});

test('a lesson asked for before the playground is ready is refused in words', async () => {
  const page = await open(browser, site, {html: pageWith('<attention-playground loading="lazy" style="margin-top: 5000px"></attention-playground>')});
  await page.evaluate(() => customElements.whenDefined('attention-playground'));
  await assert.rejects(openLesson(page, 'positions'), /not ready/);
  await page.context().close();
});
