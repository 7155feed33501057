// For the browser tests: the built site on a server of its own, and a headless Chromium with WebGL2 (SwiftShader).
//
//   const site = await openSite();
//   const browser = await openBrowser();
//   const page = await browser.newPage();
//   await page.goto(site.url);
//   ...
//   await browser.close(); await site.close();
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {chromium} from 'playwright-core';

import {serve} from '../../../scripts/serve.mjs';

const kRoot = fileURLToPath(new URL('../../..', import.meta.url));
export const kSiteFolder = process.env.ATTN_SITE ?? path.join(kRoot, 'build/web/site');

// Where tests put screenshots and other files that a person looks at afterwards.
export const kArtifactFolder = path.join(kRoot, 'build/artifacts');

// Serves the built site (or another folder). Resolves to {url, close()}.
export async function openSite(folder = kSiteFolder) {
  if (!existsSync(path.join(folder, 'index.html'))) {
    throw new Error(`${folder} has no index.html: run scripts/play --build-only`);
  }
  return serve(folder);
}

function chromiumPath() {
  const names = [process.env.ATTN_CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  for (const name of names.filter(Boolean)) {
    if (spawnSync(name, ['--version']).status === 0) {
      return spawnSync('which', [name], {encoding: 'utf8'}).stdout.trim() || name;
    }
  }
  throw new Error('no Chromium found: run scripts/setup, or set ATTN_CHROMIUM');
}

// Launches headless Chromium. `options` go to playwright's launch(); options.args are added to ours.
export function openBrowser(options = {}) {
  const ours = [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    ...options,
    args: [...ours, ...(options.args ?? [])],
  });
}
