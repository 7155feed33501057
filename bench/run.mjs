// Times the WebAssembly cases: node bench/run.mjs node|chromium FOLDER [--csv] [name...]
//
// FOLDER holds attn_bench.js and attn_bench.wasm. Cases are chosen and timed as bench/native.cpp says. Times are processor
// time: of this process in Node, of the renderer's main thread in Chromium (/proc/<process>/schedstat, which is exact when
// that thread rests, as it does between two calls); where that file does not exist, the time on the clock.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const kGroups = 31;
const kGroupMs = 20; // a run that takes longer is a group by itself
const kPeakMs = 10;
const kWarmUpMs = 600; // browsers compile a second time, in the background, what runs often

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// Milliseconds that the main thread of a process has run, or null.
function threadMs(process_) {
  try {
    return Number(readFileSync(`/proc/${process_}/schedstat`, 'utf8').split(' ')[0]) * 1e-6;
  } catch {
    return null;
  }
}

// A stage runs the module: call(name, ...arguments) calls an exported function, now() is in milliseconds.

async function openNode(folder) {
  const require = createRequire(import.meta.url);
  const script = path.resolve(folder, 'attn_bench.js');
  const bench = await require(script)({wasmBinary: readFileSync(script.replace(/js$/, 'wasm'))});
  return {
    name: `Node ${process.version}`,
    call: async (name, ...values) => bench[`_attn_bench_${name}`](...values),
    text: async (pointer) => bench.UTF8ToString(pointer),
    now: () => {
      const {user, system} = process.cpuUsage();
      return (user + system) * 1e-3;
    },
    close: async () => {},
  };
}

// The process of the page, found by letting the page work and seeing who was busy; null when that stays unclear.
async function rendererOf(browser, page) {
  const session = await browser.newBrowserCDPSession();
  const {processInfo} = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({type}) => type === 'renderer').map(({id}) => id);
  for (const busyMs of [300, 1000, 3000]) {
    const before = renderers.map(threadMs);
    if (before.includes(null)) return null;
    await page.evaluate((ms) => {
      for (const end = performance.now() + ms; performance.now() < end; );
    }, busyMs);
    const spent = renderers.map((id, i) => ({id, ms: threadMs(id) - before[i]})).sort((a, b) => b.ms - a.ms);
    if (spent.length === 1 || spent[0].ms > 3 * spent[1].ms) return spent[0].id;
  }
  return null;
}

async function openChromium(folder) {
  const {openBrowser} = await import('../tests/web/support/site.mjs');
  const {serve} = await import('../scripts/serve.mjs');
  const server = await serve(folder);
  const browser = await openBrowser();
  const page = await browser.newPage();
  await page.route(`${server.url}bench.html`, (route) => route.fulfill({contentType: 'text/html',
    body: '<!doctype html><meta charset="utf-8"><title>bench</title><script src="attn_bench.js"></script>'}));
  await page.goto(`${server.url}bench.html`);
  await page.evaluate(async () => {
    globalThis.bench = await createAttnBench();
  });
  const renderer = await rendererOf(browser, page);
  return {
    name: `Chromium ${browser.version()}`,
    call: (name, ...values) => page.evaluate(([n, v]) => bench[`_attn_bench_${n}`](...v), [name, values]),
    text: (pointer) => page.evaluate((p) => bench.UTF8ToString(p), pointer),
    now: renderer === null ? () => performance.now() : () => threadMs(renderer),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

// Milliseconds of a call on the stage, without what calling costs.
async function timed(stage, ...call) {
  const start = stage.now();
  await stage.call(...call);
  return stage.now() - start - (stage.overhead ?? 0);
}

// Warms up and finds how many runs make a group. `call` is the name of the function and its arguments but the last.
async function runsInGroup(stage, groupMs, ...call) {
  let times = 1;
  let group = await timed(stage, ...call, times);
  for (let spent = group; spent < kWarmUpMs || group < groupMs / 2; spent += group) {
    if (group < groupMs / 2) times *= 2;
    if (times > 1e9) throw new Error(`${call.join(' ')} takes no time: is ${stage.name} watched by the right clock?`);
    group = await timed(stage, ...call, times);
  }
  return times;
}

async function findPeak(stage) {
  let best = {rate: 0};
  for (let index = 0; index < (await stage.call('peak_count')); index++) {
    const flops = await stage.call('flops', index);
    const times = await runsInGroup(stage, kPeakMs, 'run_peak', index);
    const ms = [];
    for (let i = 0; i < kGroups; i++) ms.push((await timed(stage, 'run_peak', index, times)) / times);
    const rate = flops / median(ms);
    if (rate > best.rate) best = {rate, index, flops, times};
  }
  return best;
}

async function timeCase(stage, peak, index) {
  const flops = await stage.call('flops', index);
  await stage.call('prepare', index);
  const times = await runsInGroup(stage, kGroupMs, 'run');
  const ms = [];
  const shares = [];
  for (let i = 0; i < kGroups; i++) {
    const peakRate = (peak.flops * peak.times) / (await timed(stage, 'run_peak', peak.index, peak.times));
    ms.push((await timed(stage, 'run', times)) / times);
    shares.push(flops / ms.at(-1) / peakRate);
  }
  return {flops, median: median(ms), fastest: Math.min(...ms), share: median(shares) * 100};
}

const [where, folder, ...rest] = process.argv.slice(2);
const csv = rest.includes('--csv');
const names = rest.filter((one) => one !== '--csv');
const openers = {node: openNode, chromium: openChromium};
if (!openers[where] || !folder) {
  console.error('usage: run.mjs node|chromium FOLDER [--csv] [name...]');
  process.exit(2);
}
const stage = await openers[where](folder);
const idle = [];
for (let i = 0; i < 101; i++) idle.push(await timed(stage, 'count'));
stage.overhead = median(idle);

const peak = await findPeak(stage);
if (csv) {
  console.log('where,case,median_ms,fastest_ms,gflops,percent_of_peak');
} else {
  console.log(`${stage.name}, multiply-add peak ${(peak.rate * 1e-6).toFixed(1)} GFLOP/s`);
  console.log(`${''.padEnd(44)}  median ms    fastest  GFLOP/s  of peak`);
}
for (let index = await stage.call('peak_count'); index < (await stage.call('count')); index++) {
  const name = await stage.text(await stage.call('name', index));
  const asked = names.length ? names.some((one) => one === 'all' || name.includes(one))
    : await stage.call('is_headline', index);
  if (!asked) continue;
  const {flops, median, fastest, share} = await timeCase(stage, peak, index);
  const rate = (flops / median) * 1e-6;
  if (csv) {
    const figures = [median.toFixed(6), fastest.toFixed(6), rate.toFixed(3), share.toFixed(2)];
    console.log([where, `"${name}"`, ...figures].join(','));
  } else {
    const figures = flops > 0 ? ` ${rate.toFixed(1).padStart(8)} ${share.toFixed(0).padStart(6)} %` : '';
    console.log(`${name.padEnd(44)} ${median.toFixed(4).padStart(10)} ${fastest.toFixed(4).padStart(10)}${figures}`);
  }
}
await stage.close();
