// Runs a WebAssembly program in headless Chromium and prints the first line it prints.
//   node tests/web/support/run_program.mjs build/web/tests/attn_reference_hash.js
import path from 'node:path';

import {serve} from '../../../scripts/serve.mjs';
import {openBrowser} from './site.mjs';

const kMostMs = 120_000;

const program = process.argv[2];
const server = await serve(path.dirname(program));
const browser = await openBrowser();
try {
  const page = await browser.newPage();
  const script = path.basename(program);
  const body = `<!doctype html><meta charset="utf-8"><title>${script}</title><script src="${script}"></script>`;
  await page.route(`${server.url}program.html`, (route) => route.fulfill({contentType: 'text/html', body}));
  const line = page.waitForEvent('console', {timeout: kMostMs});
  await page.goto(`${server.url}program.html`);
  console.log((await line).text());
} finally {
  await browser.close();
  await server.close();
}
