// Pictures for a person to look at, in build/artifacts: every size, ratio, language and theme of the lesson. What is
// asserted is what a picture can't hide: nothing on the console, no two pictures the same, no empty canvas.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {before, test} from 'node:test';

import {open, ready, settle} from './support/playground.mjs';
import {kArtifactFolder} from './support/site.mjs';
import {browser, site} from './support/world.mjs';

const kSizes = {desktop: {width: 1280, height: 800}, embed: {width: 900, height: 620}, phone: {width: 390, height: 844}};
const kLeastPngBytes = 20_000; // an empty canvas of these sizes compresses to far less

before(() => mkdirSync(kArtifactFolder, {recursive: true}));

const seen = new Set();

for (const [name, viewport] of Object.entries(kSizes)) {
  for (const lang of ['zh', 'en']) {
    test(`${name} in ${lang}, light and dark, equal and different`, async () => {
      for (const [theme, dpr, step, mask] of [['light', 1, 4, 1], ['dark', 2, 3, 0]]) {
        const page = await open(browser, site, {
          viewport, dpr, query: `?lang=${lang}&theme=${theme}&step=${step}`, reducedMotion: 'reduce',
        });
        await ready(page);
        await page.evaluate((on) => document.querySelector('attention-playground').setParameter('training_mask', on), mask);
        await settle(page);
        const picture = await page.screenshot();
        writeFileSync(path.join(kArtifactFolder, `${name}_${lang}_${theme}_${mask ? 'equal' : 'different'}@${dpr}x.png`), picture);
        assert.ok(picture.length > kLeastPngBytes);
        const bytes = picture.toString('latin1');
        assert.ok(!seen.has(bytes));
        seen.add(bytes);
        assert.deepEqual(page.problems, []);
        await page.context().close();
      }
    });
  }
}
