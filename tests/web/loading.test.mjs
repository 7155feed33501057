// How a playground starts, and what a reader sees where it cannot.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import path from 'node:path';

import {failure, open, pageWith, ready} from './support/playground.mjs';
import {kSiteFolder, openBrowser} from './support/site.mjs';
import {browser, site} from './support/world.mjs';

const kFirstFrameMs = 1000;
const kTimedTries = 5; // the best counts: other work on the machine only ever adds

const kBody = '<attention-playground lesson="mask-equivalence" loading="eager"><p>The text of the lesson.</p></attention-playground>';
const without = (name, value) => `Object.defineProperty(${name}, {value: ${value}, configurable: true, writable: true})`;

test('the page shows the lesson without a word on the console', async () => {
  const page = await open(browser, site);
  await ready(page);
  assert.equal(await page.evaluate(() => document.querySelector('attention-playground').lesson), 'mask-equivalence');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test(`the first frame is there within ${kFirstFrameMs} ms`, async (context) => {
  const times = [];
  for (let i = 0; i < kTimedTries; i++) {
    const page = await open(browser, site, {
      init: "addEventListener('attn-ready', () => { globalThis.readyAt = performance.now(); }, {once: true, capture: true})",
    });
    await ready(page);
    times.push(await page.evaluate(() => globalThis.readyAt));
    await page.context().close();
  }
  context.diagnostic(`first frame after ${times.map(Math.round).join(', ')} ms`);
  assert.ok(Math.min(...times) <= kFirstFrameMs, `${times}`);
});

test('the address sets language, theme and step', async () => {
  const page = await open(browser, site, {query: '?lang=zh&theme=dark&step=2'});
  await ready(page);
  const state = await page.evaluate(() => document.querySelector('attention-playground').getState());
  assert.equal(state.lang, 'zh');
  assert.equal(state.theme, 'dark');
  assert.equal(state.step, 2);
  await page.context().close();
});

test('an attribute that is no such thing is reported and leaves the playground running', async () => {
  const page = await open(browser, site, {
    html: pageWith(kBody.replace('loading', 'step="99" loading')),
    init: "globalThis.seen = []; addEventListener('attn-error', (event) => globalThis.seen.push(event.detail.code))",
  });
  await ready(page);
  assert.deepEqual(await page.evaluate(() => globalThis.seen), ['input']);
  await page.context().close();
});

test('a nonsensical address says so on the page, in words that can be closed, and the lesson runs', async () => {
  for (const [query, words] of [['?step=abc&lang=en', /step.*abc/s], ['?step=abc&lang=zh', /整数.*abc/s],
    ['?step=99&lang=zh', /没有第 99 步/], ['?lesson=nosuch&lang=en', /no lesson 'nosuch'/], ['?lesson=nosuch&lang=zh', /没有“nosuch”这一课/]]) {
    const page = await open(browser, site, {query});
    await ready(page);
    const notice = page.locator('attention-playground .notice');
    await notice.waitFor({state: 'visible', timeout: 5000});
    assert.match(await notice.innerText(), words, query);
    assert.equal(await page.evaluate(() => document.querySelector('attention-playground').lesson), 'mask-equivalence');
    await notice.locator('button').click();
    assert.equal(await notice.count(), 0);
    await page.context().close();
  }
});

test('a page that demands trusted types gets the narration and its formulas', async () => {
  const policy = '<meta http-equiv="Content-Security-Policy" content="require-trusted-types-for \'script\'">';
  const page = await open(browser, site, {html: pageWith(kBody.replace('loading', 'step="2" loading'), policy)});
  await ready(page);
  const shown = await page.evaluate(() => {
    const root = document.querySelector('attention-playground').shadowRoot;
    return {title: root.querySelector('h2').textContent, formulas: root.querySelectorAll('.formula').length};
  });
  assert.notEqual(shown.title, '');
  assert.ok(shown.formulas > 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('a base-url names a folder with and without its slash', async () => {
  for (const folder of ['.', './', site.url, site.url.slice(0, -1)]) {
    const page = await open(browser, site, {html: pageWith(kBody.replace('loading', `base-url="${folder}" loading`))});
    await ready(page);
    await page.context().close();
  }
  const page = await open(browser, site, {html: pageWith(kBody.replace('loading', 'base-url="some/folder" loading'))});
  const asked = page.waitForRequest(/some\/folder\/playground\.wasm$/, {timeout: 5000}).catch(() => null);
  await page.reload();
  assert.ok(await asked, 'playground.wasm was not asked for in some/folder');
  await page.context().close();
});

for (const [what, code, init] of [
  ['WebGL 2', 'webgl', `const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : original.call(this, kind, ...rest);
    }`],
  ['WebAssembly SIMD', 'simd', without('WebAssembly', `Object.assign(Object.create(WebAssembly), {validate: () => false})`)
    .replace('WebAssembly, {', "globalThis, 'WebAssembly', {")],
]) {
  test(`without ${what} the text stays and the reader is told why, in both languages`, async () => {
    for (const [lang, words] of [['zh', /缺少 .*文字仍可阅读/s], ['en', /missing\. The text still works/]]) {
      const page = await open(browser, site, {html: pageWith(kBody.replace('<p>', `<p>`)).replace('lang="en"', `lang="${lang}"`), init});
      const seen = await failure(page);
      assert.equal(seen.code, code);
      assert.match(seen.text, words);
      assert.ok(seen.childrenShown);
      await page.context().close();
    }
  });
}

test('a real browser without 3D graphics gets the same words', async () => {
  const bare = await openBrowser({args: ['--disable-3d-apis']});
  const page = await open(bare, site, {html: pageWith(kBody)});
  assert.equal((await failure(page)).code, 'webgl');
  await bare.close();
});

test('a missing wasm file, a page in its place and a missing script say that loading failed', async () => {
  for (const [file, answer] of [
    ['playground.wasm', {status: 404, body: 'not here'}],
    ['playground.wasm', {status: 200, contentType: 'text/html', body: '<!doctype html><p>Welcome'}],
    ['playground.wasm', {status: 200, contentType: 'application/wasm', body: 'no wasm at all'}],
    ['playground.wasm', {status: 200, contentType: 'application/wasm', body: Buffer.from([0, 97, 115, 109, 1, 0, 0, 0])}],
    ['playground.js', {status: 404, body: 'not here'}],
  ]) {
    const opened = await browser.newContext();
    const page = await opened.newPage();
    await page.route(`**/${file}`, (route) => route.fulfill(answer));
    await page.route('**/test-page.html', (route) => route.fulfill({contentType: 'text/html', body: pageWith(kBody)}));
    await page.goto(`${site.url}test-page.html`);
    const seen = await failure(page);
    assert.equal(seen.code, 'load', `${file} ${answer.status}`);
    assert.match(seen.text, /did not load\. The text still works/);
    assert.ok(seen.childrenShown);
    await opened.close();
  }
});

test('a wasm file served as octet-stream still runs', async () => {
  const opened = await browser.newContext();
  const page = await opened.newPage();
  await page.route('**/playground.wasm', async (route) => {
    const response = await route.fetch();
    await route.fulfill({response, headers: {...response.headers(), 'content-type': 'application/octet-stream'}});
  });
  await page.goto(site.url);
  await ready(page);
  await opened.close();
});

test("a security policy without 'wasm-unsafe-eval' is named, one with it lets the playground run", async () => {
  const policy = (sources) => `<meta http-equiv="Content-Security-Policy" content="script-src 'self' ${sources}">`;
  const strict = await open(browser, site, {html: pageWith(kBody, policy(''))});
  const seen = await failure(strict);
  assert.equal(seen.code, 'csp');
  assert.match(seen.text, /wasm-unsafe-eval/);
  await strict.context().close();
  const kind = await open(browser, site, {html: pageWith(kBody, policy("'wasm-unsafe-eval'"))});
  await ready(kind);
  assert.deepEqual(kind.problems, []);
  await kind.context().close();
});

test('opened from the file system, the page says which command to run', async () => {
  const opened = await browser.newContext();
  const page = await opened.newPage();
  await page.goto(pathToFileURL(path.join(kSiteFolder, 'index.html')).href);
  const notice = page.locator('.unbuilt');
  await notice.waitFor({state: 'visible', timeout: 5000});
  assert.match(await notice.innerText(), /scripts\/play[^]*scripts\/play/);
  await opened.close();
});

test('importing the module where there is no DOM does nothing', async () => {
  const module = await import(pathToFileURL(path.join(kSiteFolder, 'attention-playground.js')).href);
  assert.equal(typeof module.AttentionPlayground, 'function');
});
