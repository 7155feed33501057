// The built site and a browser for one test file: importing this module opens both before its tests and closes them after.
import {after, before} from 'node:test';

import {openBrowser, openSite} from './site.mjs';

export let site, browser;

before(async () => {
  site = await openSite();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await site?.close();
});
