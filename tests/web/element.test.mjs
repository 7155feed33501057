// The element in a page of somebody else's: moved, asked twice, given nonsense, one of many.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';

import {framesDrawn, open, pageWith, ready, settle, stateOf} from './support/playground.mjs';
import {openBrowser} from './support/site.mjs';
import {browser, site} from './support/world.mjs';

const pageOf = (body, options = {}) => open(browser, site, {html: pageWith(body), ...options});

test('an element that is moved before it starts has one engine and its narration', async () => {
  const page = await pageOf('<div id="one"></div><div id="two"></div>');
  const found = await page.evaluate(async () => {
    await customElements.whenDefined('attention-playground');
    const element = document.createElement('attention-playground');
    document.querySelector('#one').append(element);
    document.querySelector('#two').append(element);
    await element.ready;
    const root = element.shadowRoot;
    return {canvases: root.querySelectorAll('canvas').length, title: root.querySelector('h2').textContent};
  });
  assert.equal(found.canvases, 1);
  assert.notEqual(found.title, '');
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('an element taken over by a frame of the page keeps its place in the lesson and its looks', async () => {
  const page = await pageOf('<attention-playground loading="eager" step="4"></attention-playground><iframe></iframe>');
  await ready(page);
  const found = await page.evaluate(async () => {
    const element = document.querySelector('attention-playground');
    element.goTo(5);
    const other = document.querySelector('iframe').contentDocument;
    other.body.append(other.adoptNode(element));
    await element.ready;
    const narration = element.shadowRoot.querySelector('.narration');
    return {step: element.step, position: other.defaultView.getComputedStyle(narration).position};
  });
  assert.deepEqual(found, {step: 5, position: 'absolute'});
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('naming the same step again leads back to it', async () => {
  const page = await pageOf('<attention-playground loading="eager" step="3"></attention-playground>');
  await ready(page);
  const step = await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    element.stepForward();
    element.step = 3;
    return element.getState().step;
  });
  assert.equal(step, 3);
  await page.context().close();
});

test('nonsense is refused with words that count as the reader does, and changes nothing', async () => {
  const page = await pageOf('<attention-playground loading="eager" max-dpr="-1"></attention-playground>');
  await ready(page);
  const before = await stateOf(page);
  const messages = await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    const tries = [() => element.goTo(999), () => element.goTo(-3), () => element.goTo(NaN), () => element.goTo(Symbol('s')),
      () => element.setParameter('x'.repeat(1e6), 1)];
    return tries.map((attempt) => {
      try { attempt(); return 'accepted'; } catch (error) { return `${error.code}: ${error.detail}`; }
    });
  });
  assert.match(messages[0], /^input: this lesson has steps 1 to \d+, not 999$/);
  for (const message of messages) assert.match(message, /^input: /);
  assert.deepEqual(await stateOf(page), before);
  const width = await page.evaluate(() =>
    document.querySelector('attention-playground').shadowRoot.querySelector('canvas').width);
  assert.ok(width > 300, `the canvas is ${width} px wide`);
  await page.context().close();
});

test('a page writes a sentence, sets a cell and a parameter, and takes it all back', async () => {
  const page = await pageOf('<attention-playground lesson="self-attention" lang="zh" loading="eager"></attention-playground>', {
    init: "globalThis.seen = []; addEventListener('attn-statechange', (event) => seen.push(event.detail.userInitiated));",
  });
  await ready(page);
  const said = await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    const look = () => {
      const {sentence, edits, parameters} = element.getState();
      return [sentence.text, edits.map(({value}) => value), parameters.find(({name}) => name === 'seed').value];
    };
    const looks = [];
    const steps = [() => element.setSentence('我爱你'),
      () => element.setCell({tensor: 'encoder.0.self_attention.query_weight', row: 1, column: 2}, 0.1),
      () => element.setParameter('seed', 3)];
    for (const step of steps) { step(); looks.push(look()); }
    for (const verb of ['undo', 'undo', 'undo', 'redo', 'reset', 'undo']) { element[verb](); looks.push(look()); }
    return {looks, seen: globalThis.seen, editable: element.getState().editable, text: element.describe()};
  });
  const own = 'I saw a saw';
  const tenth = 0.100000001; // the float32 nearest to 0.1
  assert.deepEqual(said.looks, [['我 爱 你', [], 0], ['我 爱 你', [tenth], 0], ['我 爱 你', [tenth], 3],
    ['我 爱 你', [tenth], 0], ['我 爱 你', [], 0], [own, [], 0], ['我 爱 你', [], 0], [own, [], 0], ['我 爱 你', [], 0]]);
  assert.ok(said.editable.includes('encoder.embedding'));
  assert.notEqual(said.text, '');
  assert.ok(said.seen.length > 0 && said.seen.every((byReader) => byReader === false));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test('what a page asks for and is refused says why in both languages', async () => {
  const page = await pageOf('<attention-playground lesson="self-attention" lang="zh" loading="eager"></attention-playground>');
  await ready(page);
  const before = await stateOf(page);
  const refused = await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    const cell = {tensor: 'encoder.embedding', row: 0, column: 0};
    const tries = [() => element.setSentence('one two three four five six seven eight nine'), () => element.setCell(cell, 1e9),
      () => element.setCell(cell, 'much'), () => element.setCell({...cell, tensor: 'encoder.0.self_attention.weights'}, 1),
      () => element.setParameter('seed', -1), () => element.setParameter('nonsense', 1), () => element.goTo(999),
      () => element.goTo('abc')];
    return tries.map((attempt) => {
      try { attempt(); return 'accepted'; } catch ({code, detail, reason, suggestions}) { return {code, detail, reason, suggestions}; }
    });
  });
  for (const {code, detail, reason} of refused) {
    assert.equal(code, 'input');
    assert.equal(reason.en, detail);
    assert.match(reason.zh, /[一-龥]/, detail);
    assert.doesNotMatch(reason.en, /[一-龥]/);
  }
  const eight = 'one two three four five six seven eight';
  assert.deepEqual(refused[0].suggestions, [eight]);
  assert.deepEqual(await stateOf(page), before);
  const kinds = await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    return [() => element.setSentence(7), () => element.setCell(null, 1), () => element.setCell({}, 1)].map((attempt) => {
      try { attempt(); return 'accepted'; } catch ({code}) { return code; }
    });
  });
  assert.deepEqual(kinds, ['input', 'input', 'input']);
  await page.context().close();
});

test('the types name what the element has', async () => {
  const types = readFileSync(new URL('../../web/attention-playground.d.ts', import.meta.url), 'utf8');
  const [, body] = /class AttentionPlayground extends HTMLElement \{\n([^]*?)\n\}/.exec(types);
  const named = [...body.matchAll(/^  (?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name).sort();
  const page = await pageOf('<attention-playground loading="eager"></attention-playground>');
  await ready(page);
  const {has, state} = await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(element));
    return {has: own.filter((name) => !/^constructor$|Callback$/.test(name)).sort(), state: Object.keys(element.getState()).sort()};
  });
  assert.deepEqual(named, has);
  const [, members] = /interface State \{\n([^]*?)\n\}/.exec(types);
  assert.deepEqual([...members.matchAll(/^  (\w+):/gm)].map(([, name]) => name).sort(), state);
  await page.context().close();
});

test("a page's own addEventListener is still there when the engine has started", async () => {
  const page = await pageOf('<attention-playground loading="eager"></attention-playground>', {
    init: () => {
      const original = window.addEventListener;
      window.addEventListener = function patched(...all) { return original.apply(this, all); };
    },
  });
  await ready(page);
  assert.equal(await page.evaluate(() => window.addEventListener.name), 'patched');
  assert.equal(await page.evaluate(() => Object.hasOwn(document, 'addEventListener')), false);
  await page.context().close();
});

test('a wheel over the narration scrolls the page when the narration itself has nothing to scroll', async () => {
  const page = await pageOf(`<attention-playground loading="eager" style="height: 760px"></attention-playground>
    <div style="height: 2000px"></div>`);
  await ready(page);
  await settle(page);
  await page.mouse.move(1200, 600);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 0, null, {timeout: 5000});
  await page.context().close();
});

test('the page comes to rest where its own scrollbar decides between two layouts', async (context) => {
  const withScrollbars = await openBrowser({ignoreDefaultArgs: ['--hide-scrollbars']});
  context.after(() => withScrollbars.close());
  let narrowed = 0;
  for (const width of [1101, 1107, 1112]) {
    const page = await open(withScrollbars, site, {viewport: {width, height: 660}});
    await ready(page);
    await settle(page);
    const drawn = await framesDrawn(page);
    await page.waitForTimeout(1000);
    assert.equal(await framesDrawn(page), drawn, `at ${width} px`);
    narrowed += await page.evaluate(() => Number(document.documentElement.clientWidth < innerWidth));
    await page.context().close();
  }
  assert.ok(narrowed > 0, 'no scrollbar took width: the test had nothing to show');
});

test('of many elements, one whose context was taken while out of sight comes back as it was', async () => {
  const page = await pageOf(`<attention-playground lesson="self-attention" loading="eager"></attention-playground>
    <div style="height: 4000px"></div>`);
  await ready(page);
  await page.evaluate(() => {
    const element = document.querySelector('attention-playground');
    element.goTo(6);
    element.setParameter('seed', 5);
    element.setSentence('we like cats');
    element.setCell({tensor: 'encoder.embedding', row: 2, column: 1}, 0.1);
    scrollTo(0, 4000);
  });
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    const canvas = document.querySelector('attention-playground').shadowRoot.querySelector('canvas');
    canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();
  });
  await page.waitForFunction(() => document.querySelector('attention-playground').getState() === null, null,
    {timeout: 15_000});
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForFunction(() => document.querySelector('attention-playground').getState() !== null, null,
    {timeout: 30_000});
  await ready(page);
  const state = await stateOf(page);
  assert.equal(state.step, 6);
  assert.equal(state.parameters.find(({name}) => name === 'seed').value, 5);
  assert.equal(state.sentence.text, 'we like cats');
  assert.deepEqual(state.edits, [{tensor: 'encoder.embedding', head: 0, row: 2, column: 1, value: 0.100000001}]);
  await page.context().close();
});
