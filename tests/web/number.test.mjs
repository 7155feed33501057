// Numbers changed by a finger: typed in a field of the page's over the cell, dragged up and down; and the page scrolls
// everywhere else.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {open, pageWith, ready, settle, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kViewport = {width: 390, height: 844};
const kHtml = pageWith(`<attention-playground lesson="self-attention" loading="eager"></attention-playground>
  <div style="height: 1500px"></div>`, '<style>attention-playground { height: 844px; }</style>');

const opened = async () => {
  const page = await open(browser, site, {html: kHtml, viewport: kViewport, hasTouch: true, dpr: 2});
  await ready(page);
  await settle(page);
  return page;
};

const inRoot = (page, selector, what) => page.evaluate(([name, read]) => {
  const element = document.querySelector('attention-playground').shadowRoot.querySelector(name);
  return read === 'box' ? (({x, y, width, height}) => ({x, y, width, height}))(element.getBoundingClientRect()) : element[read];
}, [selector, what]);

const fieldOpen = async (page) => !(await inRoot(page, '.number', 'hidden'));
const revision = async (page) => (await stateOf(page)).revision;
const value = async (page) => {
  const {focus, table} = await stateOf(page);
  return Number(table.rows[focus.row].cells[focus.column].replace('−', '-'));
};

/** Chooses the number beside the one the lesson opens with; it may be changed, so it holds the page still. */
async function chosenCell(page) {
  const holds = () => page.evaluate(() => [...document.querySelector('attention-playground').shadowRoot
    .querySelectorAll('.hold:not([hidden])')].map((hold) => hold.getBoundingClientRect().toJSON()));
  const [first] = await holds();
  await page.touchscreen.tap(first.x + 1.5 * first.width, first.y + first.height / 2);
  await settle(page);
  const [hold, ...others] = await holds();
  assert.deepEqual(others, []);
  assert.ok(Math.abs(hold.x - first.x - first.width) < 2, 'the number beside the first is chosen');
  assert.equal(await fieldOpen(page), false);
  return {x: hold.x + hold.width / 2, y: hold.y + hold.height / 2};
}

/** A finger that moves, as the browser sees it. */
async function drag(page, from, to) {
  const client = await page.context().newCDPSession(page);
  const touch = (type, points) => client.send('Input.dispatchTouchEvent', {type, touchPoints: points});
  await touch('touchStart', [from]);
  for (let part = 1; part <= 8; part++) {
    await touch('touchMove', [{x: from.x + ((to.x - from.x) * part) / 8, y: from.y + ((to.y - from.y) * part) / 8}]);
    await page.waitForTimeout(16);
  }
  await touch('touchEnd', []);
  await settle(page, 'attention-playground', 100);
}

test('a tap on the chosen cell opens a field over it, with a keyboard for numbers, and Enter applies what is typed', async () => {
  const page = await opened();
  const cell = await chosenCell(page);
  await page.touchscreen.tap(cell.x, cell.y);
  await page.waitForTimeout(100);
  assert.ok(await fieldOpen(page));
  assert.equal(await inRoot(page, '.number input', 'inputMode'), 'decimal');
  assert.equal(await page.evaluate(() => document.querySelector('attention-playground').shadowRoot.activeElement?.localName), 'input');
  const box = await inRoot(page, '.number', 'box');
  assert.ok(box.x <= cell.x && cell.x <= box.x + box.width && box.y <= cell.y && cell.y <= box.y + box.height);
  assert.ok(box.x >= 0 && box.x + box.width <= kViewport.width);
  await page.keyboard.type('-1,75');
  await page.keyboard.press('Enter');
  await settle(page, 'attention-playground', 100);
  assert.equal(await fieldOpen(page), false);
  assert.equal(await value(page), -1.75);
  await page.evaluate(() => document.querySelector('attention-playground').undo());
  assert.notEqual(await value(page), -1.75);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('Escape and an unchanged field leave the number as it was, going elsewhere applies, the button turns the sign', async () => {
  const page = await opened();
  const cell = await chosenCell(page);
  const before = await value(page);
  const at = await revision(page);
  const type = async (text, key) => {
    await page.touchscreen.tap(cell.x, cell.y);
    await page.waitForTimeout(100);
    assert.ok(await fieldOpen(page));
    if (text) await page.keyboard.type(text);
    if (key) await page.keyboard.press(key);
    await settle(page, 'attention-playground', 100);
  };
  await type('9', 'Escape');
  await type('', 'Enter');
  await type('abc', 'Enter');
  assert.equal(await value(page), before);
  assert.equal(await revision(page), at);
  await type('3', null);
  const sign = await inRoot(page, '.number button', 'box');
  await page.touchscreen.tap(sign.x + sign.width / 2, sign.y + sign.height / 2);
  assert.ok(await fieldOpen(page));
  await page.touchscreen.tap(200, 90); // the narration
  await settle(page, 'attention-playground', 100);
  assert.equal(await fieldOpen(page), false);
  assert.equal(await value(page), -3);
  await page.context().close();
});

test('a finger drags the chosen number, and one undo takes it back; anywhere else it scrolls the page', async () => {
  const page = await opened();
  const cell = await chosenCell(page);
  const before = await value(page);
  await drag(page, cell, {x: cell.x + 4, y: cell.y - 72});
  assert.equal(await page.evaluate(() => scrollY), 0);
  const now = await value(page);
  assert.ok(now > before + 0.9 && now < before + 1.4, `${before} became ${now}`);
  await page.evaluate(() => document.querySelector('attention-playground').undo());
  assert.equal(await value(page), before);
  const other = {x: 30, y: 640};
  const at = await revision(page);
  await drag(page, other, {x: 30, y: 340});
  await page.waitForFunction(() => scrollY > 100, null, {timeout: 3000});
  assert.equal(await revision(page), at);
  await page.context().close();
});

test('the mouse drags a number too, without choosing text or scrolling', async () => {
  const html = pageWith('<attention-playground lesson="self-attention" loading="eager"></attention-playground>',
    '<style>attention-playground { height: 100vh; }</style>');
  const page = await open(browser, site, {html});
  await ready(page);
  await settle(page);
  let found = false;
  for (let y = 150; y < 500 && !found; y += 25) {
    for (let x = 230; x < 500 && !found; x += 30) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 30);
      await page.mouse.move(x, y - 60);
      await page.mouse.up();
      await settle(page, 'attention-playground', 60);
      const {focus} = await stateOf(page);
      await page.evaluate(() => document.querySelector('attention-playground').undo());
      await settle(page, 'attention-playground', 60);
      if (focus.row < 0) continue;
      const before = await value(page);
      await page.evaluate(() => document.querySelector('attention-playground').redo());
      found = Math.abs((await value(page)) - before - 1) < 0.11;
    }
  }
  assert.ok(found, 'no number followed the mouse');
  assert.equal(await page.evaluate(() => String(getSelection())), '');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
