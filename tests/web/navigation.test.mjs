// From why-attention to mask-equivalence where there is no list beside the stage: by touch alone, by keyboard alone.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {open, pageWith, ready, settle, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kSizes = {
  phone: {viewport: {width: 390, height: 844}, forward: {x: 142, y: 844 - 38}, list: {x: 22, y: 26}},
  embed: {viewport: {width: 900, height: 620}, forward: {x: 142 + 8, y: 620 - 38}, list: {x: 32, y: 30}},
};
const kHtml = pageWith('<attention-playground lesson="why-attention" loading="eager"></attention-playground>',
  '<style>attention-playground { height: 100vh; }</style>');

const place = async (page) => {
  const {lesson, step, steps} = await stateOf(page);
  return {lesson, step, steps};
};

/** Until the lesson or the step is another one. */
const changed = (page, before) => page.waitForFunction(({lesson, step}) => {
  const playground = document.querySelector('attention-playground');
  return playground.lesson !== lesson || playground.step !== step;
}, before, {timeout: 10_000});

for (const [name, {viewport, forward, list}] of Object.entries(kSizes)) {
  test(`${name}: taps on the button one step on lead from why-attention to mask-equivalence`, async () => {
    const page = await open(browser, site, {html: kHtml, viewport, hasTouch: true});
    await ready(page);
    await page.touchscreen.tap(forward.x, forward.y);
    const seen = new Set();
    for (let taps = 0; taps < 120; taps++) {
      const now = await place(page);
      seen.add(now.lesson);
      if (now.lesson === 'mask-equivalence') break;
      await page.touchscreen.tap(forward.x, forward.y);
      await changed(page, now);
    }
    assert.equal((await place(page)).lesson, 'mask-equivalence');
    assert.equal((await place(page)).step, 1);
    assert.ok(seen.size >= 8, [...seen].join(' '));
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

  test(`${name}: two taps lead there through the list of lessons`, async () => {
    const page = await open(browser, site, {html: kHtml, viewport, hasTouch: true});
    await ready(page);
    let found = false;
    for (let y = 60; y < viewport.height - 20 && !found; y += 22) {
      await page.touchscreen.tap(list.x, list.y);
      await settle(page, 'attention-playground', 60);
      await page.touchscreen.tap(viewport.width * (name === 'phone' ? 0.5 : 0.65), y);
      await settle(page, 'attention-playground', 60);
      found = (await place(page)).lesson === 'mask-equivalence';
      if (!found) {
        // A tap beside the items may have closed the card, or not: it is closed from here on.
        await page.touchscreen.tap(3, viewport.height - 3);
        await settle(page, 'attention-playground', 60);
      }
    }
    assert.ok(found, 'no tap in the list opened mask-equivalence');
    await page.context().close();
  });

  test(`${name}: the right arrow leads from why-attention to mask-equivalence`, async () => {
    const page = await open(browser, site, {html: kHtml, viewport});
    await ready(page);
    await page.locator('canvas').focus();
    for (let presses = 0; presses < 120; presses++) {
      const now = await place(page);
      if (now.lesson === 'mask-equivalence') break;
      await page.keyboard.press('ArrowRight');
      await changed(page, now);
    }
    assert.equal((await place(page)).lesson, 'mask-equivalence');
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}

test('undo, redo and start over are used by touch on a phone', async () => {
  const {viewport, forward} = kSizes.phone;
  const page = await open(browser, site, {html: kHtml, viewport, hasTouch: true});
  await ready(page);
  const before = await place(page);
  await page.touchscreen.tap(forward.x, forward.y);
  await changed(page, before);
  const stepped = await place(page);
  // The settings are the third icon from the right; their card's lowest row has the three.
  await page.touchscreen.tap(viewport.width - 28 - 2 * 48 - 12, 26);
  await settle(page, 'attention-playground', 60);
  const tried = [];
  for (let y = 90; y < 600 && tried.length < 3; y += 10) {
    for (const x of [77, 129, 240]) {
      const now = await place(page);
      await page.touchscreen.tap(x, y);
      await settle(page, 'attention-playground', 60);
      if ((await place(page)).step !== now.step) tried.push([x, now.step, (await place(page)).step]);
    }
  }
  assert.deepEqual(tried.map(([x]) => x), [77, 129, 240], JSON.stringify(tried));
  assert.deepEqual(tried.map(([, , to]) => to), [1, stepped.step, 1]);
  await page.context().close();
});

test('with one-lesson nothing leads to another lesson', async () => {
  const html = kHtml.replace('loading=', 'one-lesson step="8" loading=');
  for (const {viewport, forward, list} of Object.values(kSizes)) {
    const page = await open(browser, site, {html, viewport, hasTouch: true});
    await ready(page);
    await settle(page);
    const {step, steps} = await place(page);
    assert.equal(step, steps);
    for (const {x, y} of [forward, list]) {
      await page.touchscreen.tap(x, y);
      await settle(page, 'attention-playground', 60);
    }
    await page.locator('canvas').focus();
    await page.keyboard.press('ArrowRight');
    await settle(page, 'attention-playground', 60);
    assert.deepEqual(await place(page), {lesson: 'why-attention', step, steps});
    await page.context().close();
  }
});
