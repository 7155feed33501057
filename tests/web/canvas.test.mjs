// The canvas: when it draws, how sharp, and that it comes back after the graphics card took it away.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';

import {framesDrawn, open, pageWith, ready, settle} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kIdleMs = 3000;

const element = (attributes = '') => `<attention-playground loading="eager" ${attributes}></attention-playground>`;

const backing = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector('attention-playground').shadowRoot.querySelector('canvas');
    const box = canvas.getBoundingClientRect();
    return {width: canvas.width, height: canvas.height, cssWidth: box.width, cssHeight: box.height};
  });

const picture = async (page) =>
  createHash('sha256').update(await page.locator('attention-playground').screenshot()).digest('hex');

test('no frame is drawn while nothing happens', async () => {
  const page = await open(browser, site);
  await ready(page);
  const drawn = await settle(page);
  await page.waitForTimeout(kIdleMs);
  assert.equal(await framesDrawn(page), drawn);
  await page.mouse.move(300, 300);
  await settle(page);
  assert.ok((await framesDrawn(page)) > drawn, 'the counter would not see a frame');
  await page.context().close();
});

test('nothing is drawn off-screen, and the playground draws again in view', async () => {
  const page = await open(browser, site, {html: pageWith(`${element()}<div style="height: 3000px"></div>`)});
  await ready(page);
  await settle(page);
  await page.evaluate(() => scrollTo(0, 2500));
  await page.waitForTimeout(200);
  const drawn = await framesDrawn(page);
  await page.evaluate(() => document.querySelector('attention-playground').setAttribute('theme', 'dark'));
  await page.waitForTimeout(300);
  assert.equal(await framesDrawn(page), drawn);
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page);
  assert.ok((await framesDrawn(page)) > drawn);
  await page.context().close();
});

test('the backing store has one pixel a device pixel at every ratio', async () => {
  for (const dpr of [1, 1.25, 2, 3]) {
    const page = await open(browser, site, {dpr, html: pageWith(element('style="width: 801px; height: 503px"'))});
    await ready(page);
    const size = await backing(page);
    assert.equal(size.width, Math.round(801 * dpr), `ratio ${dpr}`);
    assert.equal(size.height, Math.round(503 * dpr), `ratio ${dpr}`);
    await page.context().close();
  }
});

test('the ratio may change again and again', async () => {
  const page = await open(browser, site, {html: pageWith(element('style="width: 600px"'))});
  await ready(page);
  const session = await page.context().newCDPSession(page);
  // The emulation reports a new ratio only together with a new window; the playground's own box stays.
  for (const [width, deviceScaleFactor] of [[1281, 2], [1282, 1], [1283, 3], [1284, 1.5]]) {
    await session.send('Emulation.setDeviceMetricsOverride', {width, height: 800, deviceScaleFactor, mobile: false});
    await page.waitForTimeout(150);
    await settle(page);
    assert.equal((await backing(page)).width, 600 * deviceScaleFactor, `ratio ${deviceScaleFactor}`);
  }
  await page.context().close();
});

test('a hundred changes of size leave the box as the page wants it', async () => {
  const page = await open(browser, site, {html: pageWith(element('style="width: 700px"'))});
  await ready(page);
  await page.evaluate(async () => {
    const playground = document.querySelector('attention-playground');
    for (let i = 0; i < 100; i++) {
      playground.style.width = `${500 + ((i * 37) % 400)}px`;
      await new Promise(requestAnimationFrame);
    }
    playground.style.width = '640px';
    await new Promise(requestAnimationFrame);
  });
  await settle(page);
  const size = await backing(page);
  assert.deepEqual(size, {width: 640, height: 500, cssWidth: 640, cssHeight: 500});
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a playground without a size waits for one', async () => {
  const page = await open(browser, site, {html: pageWith(`<div id="box" style="display: none">${element()}</div>`)});
  await page.waitForTimeout(500);
  assert.equal(await framesDrawn(page), 0);
  await page.evaluate(() => { document.querySelector('#box').style.display = 'block'; });
  await ready(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('after a lost context the same picture comes back', async () => {
  const page = await open(browser, site, {html: pageWith(element('theme="light"'))});
  await ready(page);
  await settle(page);
  const before = await picture(page);
  await page.evaluate(async () => {
    const canvas = document.querySelector('attention-playground').shadowRoot.querySelector('canvas');
    const extension = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    const happened = (name) => new Promise((done) => canvas.addEventListener(name, done, {once: true}));
    const lost = happened('webglcontextlost');
    extension.loseContext();
    await lost;
    await new Promise((done) => setTimeout(done, 100));
    const restored = happened('webglcontextrestored');
    extension.restoreContext();
    await restored;
  });
  await settle(page);
  assert.equal(await picture(page), before);
  assert.deepEqual(page.problems.filter((text) => !/context/i.test(text)), []);
  await page.context().close();
});

test('several playgrounds on a page keep to themselves', async () => {
  const page = await open(browser, site, {
    viewport: {width: 1000, height: 1600},
    html: pageWith(`${element('id="a" lang="zh" theme="light"')}${element('id="b" lang="en" theme="dark"')}${element('id="c"')}`),
  });
  await ready(page);
  const states = () => page.evaluate(() => ['a', 'b', 'c'].map((id) => document.getElementById(id).getState()));
  const [a, b, c] = await states();
  assert.deepEqual([a.lang, b.lang, c.lang], ['zh', 'en', 'en']);
  assert.deepEqual([a.theme, b.theme], ['light', 'dark']);
  await page.evaluate(() => document.getElementById('b').stepForward());
  const [a2, b2, c2] = await states();
  assert.equal(b2.step, b.step + 1);
  assert.deepEqual([a2.step, c2.step], [a.step, c.step]);
  for (const id of ['a', 'b', 'c']) await settle(page, `#${id}`);
  const before = await page.evaluate(() => ['a', 'c'].map((id) => document.getElementById(id).framesDrawn));
  await page.mouse.move(300, 700);
  await page.mouse.move(340, 720);
  await settle(page, '#b');
  assert.deepEqual(await page.evaluate(() => ['a', 'c'].map((id) => document.getElementById(id).framesDrawn)), before);
  await page.context().close();
});

test('a playground that is taken away frees its context, and one that is moved starts again', async () => {
  const page = await open(browser, site, {html: pageWith(`<div id="one">${element()}</div><div id="two"></div>`)});
  await ready(page);
  const lost = await page.evaluate(async () => {
    const playground = document.querySelector('attention-playground');
    const context = playground.shadowRoot.querySelector('canvas').getContext('webgl2');
    playground.remove();
    await new Promise((done) => setTimeout(done, 50));
    const gone = context.isContextLost();
    document.querySelector('#two').append(playground);
    return gone;
  });
  assert.ok(lost);
  await ready(page);
  assert.ok((await framesDrawn(page)) > 0);
  assert.deepEqual(page.problems.filter((text) => !/context/i.test(text)), []);
  await page.context().close();
});
