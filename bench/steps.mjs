// Times a change of step in the browser, lesson by lesson: node bench/steps.mjs SITE [lesson...]
//
// For every step of a lesson: the milliseconds in the engine from the command that goes there to the canvas at rest, in all
// calls and in the longest (the command, which computes, or a frame, which draws); at the first visit, and the median of
// kVisits later ones. Times are on the page's clock: run it when nothing else does.
import {openBrowser} from '../tests/web/support/site.mjs';
import {open, pageWith, ready, settle, stateOf} from '../tests/web/support/playground.mjs';
import {serve} from '../scripts/serve.mjs';

const kVisits = 5;

// In the page, before any script: counts the time that the page spends in calls into the engine.
function measure() {
  globalThis.spent = {all: 0, longest: 0};
  const instantiate = WebAssembly.instantiate;
  let depth = 0;
  const timed = (original) => (...values) => {
    if (depth > 0) return original(...values);
    depth += 1;
    const start = performance.now();
    try {
      return original(...values);
    } finally {
      depth -= 1;
      const ms = performance.now() - start;
      spent.all += ms;
      spent.longest = Math.max(spent.longest, ms);
    }
  };
  WebAssembly.instantiate = async (module, imports) => {
    const instance = await instantiate.call(WebAssembly, module, imports);
    const exports = Object.entries(instance.exports)
      .map(([name, value]) => [name, typeof value === 'function' && !name.startsWith('.') ? timed(value) : value]);
    return {exports: Object.fromEntries(exports)};
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function timeStep(page, step) {
  await page.evaluate((to) => {
    globalThis.spent = {all: 0, longest: 0};
    document.querySelector('attention-playground').goTo(to);
  }, step);
  await settle(page, 'attention-playground', 60);
  return page.evaluate(() => spent);
}

async function timeLesson(browser, site, lesson) {
  const html = pageWith(`<attention-playground lesson="${lesson}" lang="en" loading="eager" style="height: 800px">
    </attention-playground>`);
  const page = await open(browser, site, {html, init: measure});
  await ready(page);
  await settle(page);
  const {steps} = await stateOf(page);
  const visits = [];
  for (let visit = 0; visit <= kVisits; visit++)
    for (let step = 1; step <= steps; step++) (visits[step] ??= []).push(await timeStep(page, step));
  for (let step = 1; step <= steps; step++) {
    const [first, ...later] = visits[step];
    const of = (part) => median(later.map((one) => one[part])).toFixed(1);
    console.log(`${lesson.padEnd(18)} ${String(step).padStart(2)}  first ${first.longest.toFixed(1).padStart(6)} ms` +
      `  later: all calls ${of('all').padStart(5)}, the longest ${of('longest').padStart(5)} ms`);
  }
  await page.context().close();
  return Math.max(...visits.slice(1).map(([, ...later]) => median(later.map((one) => one.longest))));
}

const [folder, ...chosen] = process.argv.slice(2);
const site = await serve(folder);
const browser = await openBrowser();
const {LESSON_FILES: files} = await import(new URL('lesson_files.js', new URL(`file://${process.cwd()}/${folder}/`)).href);
for (const lesson of Object.keys(files)) {
  if (chosen.length > 0 && !chosen.includes(lesson)) continue;
  const worst = await timeLesson(browser, site, lesson);
  console.log(`${lesson.padEnd(18)}     at most ${worst.toFixed(1)} ms`);
}
await browser.close();
await site.close();
