// The reader's own sentence, typed into a field of the page: when it is taken, what is said when it isn't, and that
// nothing typed is lost.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {open, pageWith, ready, settle, stateOf} from './support/playground.mjs';
import {browser, site} from './support/world.mjs';

const kSizes = {panel: {width: 1280, height: 800}, strip: {width: 900, height: 620}, brief: {width: 390, height: 844}};
const kOwn = 'I saw a saw';

const openLesson = async (query, options = {}) => {
  const page = await open(browser, site, {query, ...options});
  await ready(page);
  await settle(page);
  return page;
};

const done = async (page) => {
  assert.deepEqual(page.problems, []);
  await page.context().close();
};

const command = (page, body) =>
  page.evaluate((text) => new Function('playground', text)(document.querySelector('attention-playground')), body);

const inputOf = (page) => page.locator('.sentence input');
const sentenceOf = async (page) => (await stateOf(page)).sentence.text;

// What the reader has before them: the field, the reason beside it, and what a screen reader says of the field.
const field = (page) => page.evaluate(() => {
  const root = document.querySelector('attention-playground').shadowRoot;
  const input = root.querySelector('.sentence input');
  const alert = root.querySelector('.sentence [role=alert]');
  const texts = input.getAttribute('aria-describedby').split(' ').map((id) => root.getElementById(id).textContent);
  return {
    text: input.value, focused: root.activeElement === input, invalid: input.getAttribute('aria-invalid'),
    alert: alert.textContent, described: texts.join(' ').trim(), label: input.labels[0].textContent,
  };
});

// Enter while an IME still composes, as browsers report it: by the flag, or by the old key code alone (Safari).
const composingEnter = (page, init) => page.evaluate((more) => {
  const input = document.querySelector('attention-playground').shadowRoot.querySelector('.sentence input');
  input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, composed: true, cancelable: true, ...more}));
}, init);

test('a field stands under the text where the lesson has a sentence, and only there', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en');
  assert.equal((await field(page)).text, kOwn);
  const text = await page.locator('.full > div').first().boundingBox();
  const box = await inputOf(page).boundingBox();
  const panel = await page.locator('.narration').boundingBox();
  assert.ok(box.y >= text.y + text.height);
  assert.ok(box.x >= panel.x && box.x + box.width <= panel.x + panel.width);
  await page.evaluate(() => document.querySelector('attention-playground').open('mask-lab'));
  assert.equal(await inputOf(page).isVisible(), false);
  await page.evaluate(() => document.querySelector('attention-playground').open('multi-head'));
  assert.equal(await inputOf(page).isVisible(), true);
  assert.equal((await field(page)).text, (await stateOf(page)).sentence.own);
  await done(page);
});

test('the field has a name and says what may be written, in both languages', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en');
  const {fewest, most} = (await stateOf(page)).sentence;
  const english = await field(page);
  assert.equal(english.label, 'Your sentence');
  await command(page, "playground.lang = 'zh'");
  const chinese = await field(page);
  assert.equal(chinese.label, '你的句子');
  for (const {described} of [english, chinese]) {
    assert.ok(described.includes(`${fewest}–${most}`), described);
    assert.ok(described.includes('12'), described);
  }
  await done(page);
});

test('Enter applies what is typed; undo, redo and reset are followed', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en&step=2', {
    init: "globalThis.seen = []; addEventListener('attn-statechange', (event) => seen.push(event.detail.userInitiated));",
  });
  await inputOf(page).fill('  we  like  cats ');
  assert.equal(await sentenceOf(page), kOwn, 'nothing happens while it is typed');
  await page.keyboard.press('Enter');
  assert.deepEqual((await stateOf(page)).sentence.words, ['we', 'like', 'cats']);
  assert.deepEqual(await field(page), {...await field(page), text: 'we like cats', focused: true, alert: '', invalid: null});
  assert.deepEqual(await page.evaluate(() => globalThis.seen), [true]);
  assert.ok((await stateOf(page)).table.rows.some(({head}) => head.includes('cats')));
  for (const [verb, text] of [['undo', kOwn], ['redo', 'we like cats'], ['reset', kOwn]]) {
    await command(page, `playground.${verb}()`);
    assert.equal((await field(page)).text, text, verb);
  }
  await done(page);
});

test('leaving the field applies it once; an empty one is the lesson’s own again', async () => {
  const page = await openLesson('?lesson=multi-head&lang=en');
  const {own} = (await stateOf(page)).sentence;
  await inputOf(page).fill('cats see cats');
  await page.locator('.full h2').click();
  assert.equal(await sentenceOf(page), 'cats see cats');
  await inputOf(page).fill('');
  assert.equal(await inputOf(page).getAttribute('placeholder'), own);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await sentenceOf(page), own);
  assert.equal((await field(page)).text, own);
  await command(page, 'playground.undo()');
  assert.equal((await field(page)).text, 'cats see cats');
  await done(page);
});

test('Escape gives up what is typed, and the state may change meanwhile', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en');
  await inputOf(page).fill('half a sent');
  await command(page, 'playground.stepForward()');
  await command(page, "playground.setParameter('seed', 3)");
  assert.deepEqual(await field(page), {...await field(page), text: 'half a sent', focused: true});
  await page.keyboard.press('Escape');
  assert.deepEqual(await field(page), {...await field(page), text: kOwn, focused: true});
  await page.locator('.full h2').click();
  assert.equal(await sentenceOf(page), kOwn);
  await done(page);
});

test('an IME keeps its Enter; Chinese without spaces has a word a character', async () => {
  const page = await openLesson('?lesson=self-attention&lang=zh');
  await inputOf(page).fill('');
  await page.keyboard.insertText('我爱你');
  await composingEnter(page, {isComposing: true});
  await composingEnter(page, {keyCode: 229});
  assert.equal(await sentenceOf(page), kOwn);
  assert.equal((await field(page)).text, '我爱你');
  await page.keyboard.press('Enter');
  assert.deepEqual((await stateOf(page)).sentence.words, ['我', '爱', '你']);
  assert.equal((await field(page)).text, '我 爱 你');
  await done(page);
});

test('a refused sentence stays in the field with the engine’s reason until it is put right', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en');
  const longest = 'a'.repeat(12);
  for (const [text, reason] of [['alone', /2 to 8 words, not 1/], ['a b c d e f g h i', /2 to 8 words, not 9/],
    [`the ${longest}a`, /longer than 12 characters/], ['a {b}', /can't stand in a word/]]) {
    await inputOf(page).fill(text);
    await page.keyboard.press('Enter');
    const refused = await field(page);
    assert.deepEqual([refused.text, refused.invalid, refused.focused], [text, 'true', true]);
    assert.match(refused.alert, reason);
    assert.ok(refused.described.includes(refused.alert));
    assert.equal(await sentenceOf(page), kOwn);
  }
  await page.locator('.full h2').click();
  await command(page, 'playground.stepForward()');
  assert.deepEqual([(await field(page)).text, (await field(page)).invalid], ['a {b}', 'true'], 'nothing is lost');
  await command(page, "playground.lang = 'zh'");
  assert.equal((await field(page)).alert, '没有采用，仍用刚才那一句：词里不能有 {');
  assert.equal(await page.locator('.notice').count(), 0, 'it is said once');
  await inputOf(page).fill(`the ${longest}`);
  assert.deepEqual([(await field(page)).alert, (await field(page)).invalid], ['', null]);
  await page.keyboard.press('Enter');
  assert.equal(await sentenceOf(page), `the ${longest}`);
  await done(page);
});

test('of too many words the first ones are offered, and are a tap away', async () => {
  const page = await openLesson('?lesson=self-attention&lang=zh');
  const offers = page.locator('.suggestions button');
  assert.equal(await offers.count(), 0);
  await inputOf(page).fill('a b c d e f g h i');
  await page.keyboard.press('Enter');
  assert.match((await field(page)).alert, /这一课要写 2 到 8 个词，这里有 9 个$/);
  assert.deepEqual(await offers.allInnerTexts(), ['a b c d e f g h']);
  const panel = await page.locator('.narration').boundingBox();
  const box = await offers.boundingBox();
  assert.ok(box.x >= panel.x && box.x + box.width <= panel.x + panel.width);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await sentenceOf(page), 'a b c d e f g h');
  assert.deepEqual(await field(page), {...await field(page), text: 'a b c d e f g h', focused: true, alert: '', invalid: null});
  assert.equal(await offers.count(), 0);
  await done(page);
});

test('a text longer than any sentence is refused in words of the reader’s', async () => {
  const page = await openLesson('?lesson=self-attention&lang=zh');
  for (const length of [5000, 70_000]) {
    await inputOf(page).fill('a '.repeat(length / 2));
    await page.keyboard.press('Enter');
    assert.match((await field(page)).alert, /写得太长了/, `${length} characters`);
  }
  await done(page);
});

test('a refused sentence is overtaken by another lesson, or by another sentence of the session', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en');
  await inputOf(page).fill('we like cats');
  await page.keyboard.press('Enter');
  const refuse = async () => {
    await inputOf(page).fill('alone');
    await page.keyboard.press('Enter');
    await page.locator('.full h2').click();
    assert.notEqual((await field(page)).alert, '');
  };
  await refuse();
  await command(page, 'playground.undo()');
  assert.deepEqual(await field(page), {...await field(page), text: kOwn, alert: '', invalid: null});
  await refuse();
  await page.evaluate(() => document.querySelector('attention-playground').open('multi-head'));
  const {own} = (await stateOf(page)).sentence;
  assert.deepEqual(await field(page), {...await field(page), text: own, alert: '', invalid: null});
  await done(page);
});

for (const layout of ['strip', 'brief']) {
  for (const theme of ['light', 'dark']) {
    test(`the field is in reach where the narration is a ${layout}, ${theme}`, async () => {
      const viewport = kSizes[layout];
      const touch = layout === 'brief';
      const page = await openLesson('?lesson=self-attention&lang=zh', {viewport, hasTouch: touch, colorScheme: theme});
      await (touch ? page.locator('.more').tap() : page.locator('.more').click());
      await inputOf(page).scrollIntoViewIfNeeded();
      const box = await inputOf(page).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height,
        JSON.stringify(box));
      const style = await inputOf(page).evaluate((input) => {
        const {fontSize, color, backgroundColor} = getComputedStyle(input);
        return {fontSize: parseFloat(fontSize), color, backgroundColor};
      });
      if (touch) assert.ok(style.fontSize >= 16 && box.height >= 44, JSON.stringify({style, box}));
      assert.equal(style.backgroundColor, theme === 'dark' ? 'rgb(27, 31, 36)' : 'rgb(255, 255, 255)');
      await inputOf(page).fill('我爱你');
      await page.keyboard.press('Enter');
      assert.equal(await sentenceOf(page), '我 爱 你');
      await done(page);
    });
  }
}

test('a strip that opened for the keyboard stays open over a refused sentence', async () => {
  const page = await openLesson('?lesson=self-attention&lang=en', {viewport: kSizes.strip});
  const focus = (selector) => page.evaluate((name) =>
    document.querySelector('attention-playground').shadowRoot.querySelector(name).focus(), selector);
  const expanded = () => page.locator('.more').getAttribute('aria-expanded');
  await focus('.sentence input');
  assert.equal(await expanded(), 'true');
  await inputOf(page).fill('alone');
  await focus('canvas');
  assert.equal(await expanded(), 'true');
  assert.match((await field(page)).alert, /not 1/);
  await focus('.sentence input');
  await page.keyboard.press('Escape');
  assert.equal((await field(page)).text, kOwn);
  assert.equal(await expanded(), 'true', 'the first Escape is for what was typed');
  await page.keyboard.press('Escape');
  assert.equal(await expanded(), 'false');
  await done(page);
});

test('keys typed into the field are not keys of the page around it', async () => {
  const page = await open(browser, site, {html: pageWith(
    '<attention-playground lesson="self-attention" lang="en" loading="eager"></attention-playground>',
    `<style>attention-playground { height: 800px !important }</style>
    <script>globalThis.keys = [];
      for (const type of ['keydown', 'keypress'])
        document.addEventListener(type, (event) => { keys.push(event.key); if (event.key === ' ') event.preventDefault(); });
    </script>`)});
  await ready(page);
  await inputOf(page).fill('');
  await page.keyboard.type('we like f');
  await page.keyboard.press('Enter');
  assert.equal(await sentenceOf(page), 'we like f');
  assert.deepEqual(await page.evaluate(() => globalThis.keys), []);
  await page.keyboard.press('Tab');
  assert.deepEqual(await page.evaluate(() => globalThis.keys), ['Tab']);
  assert.equal((await field(page)).focused, false);
  await done(page);
});

test('an element that starts afresh elsewhere keeps the sentence', async () => {
  const page = await open(browser, site, {html: pageWith(
    '<attention-playground lesson="self-attention" lang="en" loading="eager"></attention-playground><iframe></iframe>')});
  await ready(page);
  const text = await page.evaluate(async () => {
    const element = document.querySelector('attention-playground');
    const input = element.shadowRoot.querySelector('.sentence input');
    input.focus();
    input.value = 'we like cats';
    input.dispatchEvent(new InputEvent('input', {bubbles: true}));
    input.blur();
    const other = document.querySelector('iframe').contentDocument;
    other.body.append(other.adoptNode(element));
    await element.ready;
    return [element.getState().sentence.text, element.shadowRoot.querySelector('.sentence input').value];
  });
  assert.deepEqual(text, ['we like cats', 'we like cats']);
  await done(page);
});
