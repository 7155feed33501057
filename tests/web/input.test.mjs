// Pointer, wheel and keys: what the playground takes, and above all what it leaves to the page.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {framesDrawn, open, pageWith, ready, settle} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kElement = '<attention-playground loading="eager"></attention-playground>';
const kNeighbours = `<input id="before" value="abc">${kElement}<input id="after" value="xyz">`;

const focused = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.localName);

test('window and document get no listener of the engine, the canvas none of GLFW', async () => {
  const page = await open(browser, site, {
    init: `globalThis.listeners = [];
      const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (type, ...rest) {
        if (this === window) listeners.push('window ' + type);
        if (this === document) listeners.push('document ' + type);
        if (this instanceof HTMLCanvasElement) listeners.push('canvas ' + type);
        return add.call(this, type, ...rest);
      };`,
  });
  await ready(page);
  const listeners = await page.evaluate(() => globalThis.listeners);
  const global = listeners.filter((name) => /^(window|document) /.test(name) && !/DOMContentLoaded/.test(name));
  assert.deepEqual(global, ['document visibilitychange']);
  const foreign = listeners.filter((name) => /canvas (mouse|touch|drop|dragover|keypress)/.test(name));
  assert.deepEqual(foreign, []);
  await page.context().close();
});

test('Tab, Backspace, arrows and space in a neighbouring field work as everywhere', async () => {
  const page = await open(browser, site, {html: pageWith(kNeighbours)});
  await ready(page);
  const drawn = await settle(page);
  await page.focus('#before');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' p');
  assert.equal(await page.inputValue('#before'), 'a pb');
  await page.waitForTimeout(200);
  assert.equal(await framesDrawn(page), drawn, 'keys for another element reached the playground');
  await page.context().close();
});

test('Tab leads into the canvas and out of it again, both ways, and Esc leaves it', async () => {
  const page = await open(browser, site, {html: pageWith(kNeighbours)});
  await ready(page);
  const leave = async (key, target) => {
    for (let presses = 0; presses < 60; presses++) {
      if ((await focused(page)) === target) return presses;
      await page.keyboard.press(key);
    }
    throw new Error(`${key} never left the playground`);
  };
  await page.focus('#before');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'attention-playground');
  await leave('Tab', 'after');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(page), 'attention-playground');
  await leave('Shift+Tab', 'before');
  await page.keyboard.press('Tab');
  for (let presses = 0; presses < 5 && (await focused(page)) !== 'body'; presses++) await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'body');
  await page.context().close();
});

test('the wheel scrolls the page over a canvas that is not focused', async () => {
  const page = await open(browser, site, {html: pageWith(`${kElement}<div style="height: 3000px"></div>`)});
  await ready(page);
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, 300);
  await page.waitForFunction(() => scrollY > 100, null, {timeout: 3000});
  await page.context().close();
});

test('digits typed into a cell on the canvas are its number', async () => {
  const page = await open(browser, site, {query: '?lesson=self-attention&lang=en'});
  await ready(page);
  const cell = () => page.evaluate(() => document.querySelector('attention-playground').getState().edits[0].value);
  await page.evaluate(() =>
    document.querySelector('attention-playground').setCell({tensor: 'encoder.embedding', row: 0, column: 0}, 1));
  await page.locator('attention-playground canvas').focus();
  for (let stops = 0; stops < 40 && (await cell()) === 1; stops++) {
    await page.keyboard.type('-2.25');
    await page.keyboard.press('Tab'); // takes what was typed, and goes on
    await settle(page, 'attention-playground', 60);
  }
  assert.equal(await cell(), -2.25);
  await page.context().close();
});
