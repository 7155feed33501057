// Adds up what a first visit to the site downloads, gzipped, for the lesson it opens with and for each of the others when
// the visit begins there, and fails above the budgets.
//   node scripts/check_size.mjs <site folder>
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';

const kBudgetBytes = 320_000; // of the lesson that index.html names
const kOtherBudgetBytes = 410_000; // train-it brings the trainer and its corpus, translate what draws it
const kModelBudgetBytes = 600_000; // of a file of weights, which a lesson fetches besides
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
const {LESSON_FILES: files, LESSON_MODELS: models} = await import(pathToFileURL(path.join(folder, 'lesson_files.js')).href);
const sizes = new Map([...new Set(Object.values(files).flat())].map((name) => [name, zippedSize(name)]));
const [, own] = /<attention-playground lesson="([^"]+)"/.exec(readFileSync(path.join(folder, 'index.html'), 'utf8'));
for (const [lesson, names] of Object.entries(files)) {
  const total = base + sum(names.map((name) => sizes.get(name)));
  const budget = lesson === own ? kBudgetBytes : kOtherBudgetBytes;
  console.log(`${String(total).padStart(20)} B gzip in all for ${lesson}, of ${budget}`);
  if (total > budget) process.exitCode = 1;
}
for (const name of new Set(Object.values(models))) if (zippedSize(name) > kModelBudgetBytes) process.exitCode = 1;
if (!(own in files)) throw new Error(`index.html opens ${own}, which is no lesson`);
