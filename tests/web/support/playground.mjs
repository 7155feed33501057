// Opens pages with playgrounds in them, for the browser tests.

// Playwright warns of these by itself: they come from reading pixels of a software-rendered canvas.
const kHarmless = /GPU stall due to ReadPixels/;

// Opens the site's own page (`query` as '?lang=zh'), or `html` as a page of its own beside the site's files.
// `init` runs in the page before any script of it. Resolves to a Playwright page with `problems`: what the page reported
// on its console or left uncaught.
export async function open(browser, site, {html, query = '', init, viewport, dpr = 1, ...context} = {}) {
  const opened = await browser.newContext({
    viewport: viewport ?? {width: 1280, height: 800},
    deviceScaleFactor: dpr,
    locale: 'en-GB',
    ...context,
  });
  const page = await opened.newPage();
  page.problems = [];
  page.on('console', (message) => {
    const grave = ['error', 'warning'].includes(message.type());
    if (grave && !kHarmless.test(message.text())) page.problems.push(message.text());
  });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  if (init) await page.addInitScript(init);
  let url = site.url + query;
  if (html !== undefined) {
    url = `${site.url}test-page.html`;
    await page.route(url, (route) => route.fulfill({contentType: 'text/html; charset=utf-8', body: html}));
  }
  await page.goto(url);
  return page;
}

// A page around some body, with the element's module loaded.
export const pageWith = (body, head = '') => `<!doctype html><html lang="en"><meta charset="utf-8"><title>test</title>
  <style>body { margin: 0 } attention-playground { height: 500px }</style>${head}
  <body>${body}<script type="module" src="./attention-playground.js"></script></body></html>`;

// Waits for the first frame of each playground of the page. Resolves to the time of the last one, in ms since the page
// was opened; rejects with the error's code and detail.
export const ready = (page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('attention-playground');
    const all = [...document.querySelectorAll('attention-playground')];
    await Promise.all(all.map((one) => one.ready)).catch((error) => {
      throw new Error(`${error.code}: ${error.detail}`);
    });
    return performance.now();
  });

// The code of the first attn-error of the page's playground, with what its reader sees.
export const failure = (page) =>
  page.evaluate(async () => {
    await customElements.whenDefined('attention-playground');
    const playground = document.querySelector('attention-playground');
    const code = await playground.ready.then(() => 'ready', (error) => error.code);
    const box = playground.shadowRoot.querySelector('.problem');
    const fallback = playground.shadowRoot.querySelector('slot');
    return {code, text: box?.innerText ?? '', childrenShown: getComputedStyle(fallback).visibility === 'visible' &&
      playground.firstElementChild.getBoundingClientRect().height > 0};
  });

export const framesDrawn = (page, selector = 'attention-playground') =>
  page.evaluate((name) => document.querySelector(name).framesDrawn, selector);

// Waits until no frame is drawn for `quiet` ms; fails after ten seconds of drawing.
export async function settle(page, selector = 'attention-playground', quiet = 300) {
  let before = -1;
  for (let tries = 0; tries < 10_000 / quiet; tries++) {
    const now = await framesDrawn(page, selector);
    if (now === before) return now;
    before = now;
    await page.waitForTimeout(quiet);
  }
  throw new Error('the playground never comes to rest');
}

export const stateOf = (page, selector = 'attention-playground') =>
  page.evaluate((name) => document.querySelector(name).getState(), selector);

// The value of a parameter of the lesson.
export const parameter = async (page, name) =>
  (await stateOf(page)).parameters.find((one) => one.name === name).value;

// Where the round "one step on" button is, in the page's pixels: the control at the lower left of the stage that leads
// to the next step. Found by trying from the left, so that a layout may move it; the playground is reset afterwards.
export async function forwardButton(page, {from = 24, to = 500, above = 40} = {}) {
  const box = await page.locator('attention-playground').boundingBox();
  const before = (await stateOf(page)).step;
  const y = box.y + box.height - above;
  for (let x = box.x + from; x < box.x + Math.min(to, box.width); x += 12) {
    await page.mouse.click(x, y);
    await settle(page, 'attention-playground', 60);
    const stepped = (await stateOf(page)).step === before + 1;
    await page.evaluate(() => {
      const playground = document.querySelector('attention-playground');
      playground.pause();
      playground.reset();
    });
    if (stepped) return {x: x + 6, y};
  }
  throw new Error('no control at the lower left leads to the next step');
}
