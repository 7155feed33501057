// Adds up what a first visit to the site downloads, gzipped, and fails above the budget.
//   node scripts/check_size.mjs <site folder>
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {gzipSync} from 'node:zlib';

const kBudgetBytes = 460_000;
const kFirstLoad = /\.(html|css|js|wasm|svg|json)$/;
const kLoadedElsewhere = new Set(['embed.html']); // the self-contained page carries the same bytes a second time

const folder = process.argv[2];
const files = readdirSync(folder, {recursive: false}).filter(
  (name) => kFirstLoad.test(name) && !kLoadedElsewhere.has(name),
);
let total = 0;
for (const name of files.sort()) {
  const bytes = readFileSync(path.join(folder, name));
  const zipped = gzipSync(bytes, {level: 9}).length;
  total += zipped;
  console.log(`${String(bytes.length).padStart(9)} B ${String(zipped).padStart(8)} B gzip  ${name}`);
}
console.log(`${total} B gzip in all, the budget is ${kBudgetBytes} B`);
if (files.length === 0 || total > kBudgetBytes) process.exitCode = 1;
