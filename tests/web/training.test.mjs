// The lesson train-it: training goes on in the page, which stays responsive.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {framesDrawn, open, pageWith, ready, settle, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kHtml = pageWith('<attention-playground lesson="train-it" lang="en" loading="eager"></attention-playground>');

async function openLesson() {
  const page = await open(browser, site, {html: kHtml});
  await ready(page);
  return page;
}

const act = (page, name, ...values) =>
  page.evaluate(([method, list]) => document.querySelector('attention-playground')[method](...list), [name, values]);

const trained = (page, steps) =>
  page.waitForFunction((n) => document.querySelector('attention-playground').getState().work.done >= n, steps, {timeout: 60_000});

test('training goes on frame by frame, is paused, and loses nothing to a change of language or step', async () => {
  const page = await openLesson();
  assert.deepEqual((await stateOf(page)).work, {done: 0, total: 2000});
  const before = await framesDrawn(page);
  await act(page, 'play');
  await trained(page, 50);
  assert.ok(await framesDrawn(page) > before + 5); // drawn in between
  await page.evaluate(() => { document.querySelector('attention-playground').lang = 'zh'; });
  await act(page, 'goTo', 3);
  await trained(page, 100);
  await act(page, 'pause');
  await settle(page);
  const {work, title, step} = await stateOf(page);
  assert.equal(step, 3);
  assert.match(title, /损失/);
  await page.waitForTimeout(400);
  assert.deepEqual((await stateOf(page)).work, work); // paused
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('reverse is trained from nothing until at least 99 % of what it has never seen is right', async () => {
  const page = await openLesson();
  await act(page, 'goTo', 8);
  assert.equal((await stateOf(page)).answer, 'open');
  await act(page, 'play');
  await page.waitForFunction(() => document.querySelector('attention-playground').getState().answer === 'right', null,
    {timeout: 120_000});
  const {work} = await stateOf(page);
  assert.ok(work.done > 0 && work.done <= work.total);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
