// Adds up what a first visit to the site downloads, gzipped, for each lesson, and fails above the budget.
//   node scripts/check_size.mjs <site folder>
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';

const kBudgetBytes = 320_000;
const kFirstLoad = /\.(html|css|js|wasm|svg)$/;
const kLoadedElsewhere = new Set(['embed.html']); // the self-contained page carries the same bytes a second time

const folder = path.resolve(process.argv[2]);

function zippedSize(name) {
  const bytes = readFileSync(path.join(folder, name));
  const zipped = gzipSync(bytes, {level: 9}).length;
  console.log(`${String(bytes.length).padStart(9)} B ${String(zipped).padStart(8)} B gzip  ${name}`);
  return zipped;
}

const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);

const common = readdirSync(folder).filter((name) => kFirstLoad.test(name) && !kLoadedElsewhere.has(name)).sort();
const base = sum(common.map(zippedSize));
const {LESSON_FILES: files} = await import(pathToFileURL(path.join(folder, 'playground.js')).href);
const sizes = new Map([...new Set(Object.values(files).flat())].map((name) => [name, zippedSize(name)]));
let largest = 0;
for (const [lesson, names] of Object.entries(files)) {
  const total = base + sum(names.map((name) => sizes.get(name)));
  largest = Math.max(largest, total);
  console.log(`${String(total).padStart(20)} B gzip in all for ${lesson}`);
}
console.log(`the budget is ${kBudgetBytes} B`);
if (sizes.size === 0 || largest > kBudgetBytes) process.exitCode = 1;
