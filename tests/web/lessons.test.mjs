// Every lesson of the list, from its first step to its last by keyboard, at two sizes and in both languages.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {open, pageWith, ready, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kLessons = ['why-attention', 'self-attention', 'loops-to-matrices', 'scale-by-sqrt-dk', 'multi-head', 'positions',
  'mask-lab', 'translate', 'mask-equivalence', 'teacher-forcing', 'kv-cache'];
const kReaders = [
  {lang: 'zh', theme: 'light', viewport: {width: 1280, height: 800}},
  {lang: 'en', theme: 'dark', viewport: {width: 390, height: 844}},
];

for (const lesson of kLessons) {
  for (const {lang, theme, viewport} of kReaders) {
    test(`${lesson} goes from its first step to its last by keyboard: ${lang}, ${viewport.width} px`, async () => {
      const html = pageWith(`<attention-playground lesson="${lesson}" lang="${lang}" theme="${theme}" loading="eager">
        </attention-playground>`);
      const page = await open(browser, site, {html, viewport});
      await ready(page);
      await page.locator('canvas').focus();
      const {steps} = await stateOf(page);
      const titles = [];
      for (let step = 1; step <= steps; step++) {
        const now = await stateOf(page);
        assert.equal(now.lesson, lesson);
        assert.equal(now.step, step);
        assert.ok(now.paragraphs.length > 0 && now.table.rows.length > 0);
        assert.equal(now.answer, step < steps ? 'none' : 'open');
        titles.push(now.title);
        if (step === steps) break;
        await page.keyboard.press('ArrowRight');
        await page.waitForFunction((n) => document.querySelector('attention-playground').step === n, step + 1);
      }
      assert.equal(new Set(titles).size, steps);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    });
  }
}
