// Splits the linked module, so that a page fetches the lesson it shows and not all of them.
//
//   node split_lessons.mjs <module.js, beside it its .wasm with function names> <output folder> [folder of wasm-dis]
//
// Writes to <output> playground.js as it is, playground.wasm, which holds what every lesson needs, lessons/*.wasm, and
// lesson_files.js, which names for each lesson the files it needs beside playground.wasm, and the weights. What belongs to whom is read off
// the module:
// - a lesson is entered through the table, by the functions of its namespace, attn::lessons::<lesson>;
// - so is a kind of stage, attn::ui::twin_stage and board_stage, which goes with all lessons that show it;
// - a function that only functions of some lessons call goes with those lessons; if they are several, it gets a file of
//   its own together with the others of the same lessons, when these make up enough;
// - a text goes with the functions that refer to it, when they all go to one file.
// What the code computes is not changed. Where a function moved that others call, they call it through the table; its entry
// is filled when its file is instantiated, with {base: <exports of playground.wasm>}. Doing that twice changes nothing.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SMALLEST_SHARED_FILE = 60_000; // in characters of its text form, about a tenth of that in bytes
const SHORTEST_TEXT = 24; // bytes; a shorter one isn't worth its entry
const TWINS = ['mask-equivalence']; // the lessons that show two runs side by side (src/ui/stage_kind.h)
const MODELS = { translate: 'models/translator.safetensors' }; // the weights that lessons begin with
const BASE = 'base'; // whose functions every lesson needs
const FEATURES = ['simd', 'sign-ext', 'mutable-globals', 'nontrapping-float-to-int', 'bulk-memory'];

// What comes along with a library and has nothing to do here: a call of it does nothing and returns 0.
const LEFT_OUT = [
  // Dear ImGui mends a Begin without its End; ours are paired, which the native build would report.
  'ImGui::ErrorRecoveryTryToRecoverWindowState', 'ImGui::EndTable',
  // … keeps windows and tables in a file; there is none.
  'WindowSettingsHandler_', 'TableSettingsHandler_',
  // … shows tooltips, pop-ups, scroll bars and a list of windows (Ctrl+Tab); the UI draws its own, in one window.
  'ImGui::SetTooltip', 'ImGui::FindBestWindowPosForPopup', 'ImGui::Scrollbar', 'ImGui::Selectable', 'ImGui::Shortcut',
  // … lets the keyboard walk through its own controls; there are none.
  'ImGui::NavScoreItem', 'ImGui::ScrollToRectEx',
];
const [input, output, tools = ''] = process.argv.slice(2);
rmSync(output, { recursive: true, force: true });
const scratch = mkdtempSync(path.join(os.tmpdir(), 'split-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

function run(tool, ...args) {
  execFileSync(tools ? path.join(tools, tool) : tool, [...FEATURES.map((name) => `--enable-${name}`), ...args],
    { stdio: ['ignore', 'inherit', 'inherit'] });
}

// --- Reading ----------------------------------------------------------------------------------------------------------

/** The module's top-level forms, as text in Binaryen's layout: one blank before each. */
function read(file) {
  const text = path.join(scratch, 'all.wat');
  run('wasm-dis', file, '-o', text);
  const forms = readFileSync(text, 'latin1').replace(/\n\)\s*$/, '').split(/\n (?=\()/).slice(1);
  const of = (kind) => forms.filter((form) => form.startsWith(`(${kind} `));
  const functions = new Map(of('func').map((text) => [/^\(func (\S+?)[\s)]/.exec(text)[1], { text }]));
  for (const pattern of LEFT_OUT) {
    const cut = [...functions].filter(([name]) => name.startsWith(`$${pattern}`));
    if (cut.length === 0) throw new Error(`${input} has no function ${pattern} to leave out`);
    for (const [name, { text }] of cut) functions.set(name, { text: `(func ${name} ${signatureOf(text)} (${resultOf(text)}))` });
  }
  for (const one of functions.values())
    one.calls = new Set([...one.text.matchAll(/\((?:return_)?call (\S+?)[\s)]/g)].map((match) => match[1]));
  return { functions, types: of('type'), imports: of('import'), globals: of('global'), memory: of('memory')[0],
    table: of('table')[0], elements: of('elem'), exports: of('export'), data: of('data'), start: of('start') };
}

const resultOf = (text) => ({ i32: 'i32.const 0', f32: 'f32.const 0', f64: 'f64.const 0' })[/\(result (\w+)\)/.exec(signatureOf(text))?.[1]] ?? 'nop';

function bytesOf(escaped) {
  const NAMED = { t: 9, n: 10, r: 13, '"': 34, "'": 39, '\\': 92 };
  const bytes = [];
  for (let i = 0; i < escaped.length; ++i) {
    if (escaped[i] !== '\\') bytes.push(escaped.charCodeAt(i));
    else if (escaped[i + 1] in NAMED) bytes.push(NAMED[escaped[++i]]);
    else bytes.push(parseInt(escaped.slice(i + 1, (i += 2) + 1), 16));
  }
  return Uint8Array.from(bytes);
}

const escapedText = (bytes) => [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');

function segmentsOf(data) {
  return data.map((form) => {
    const [, address, text] = /^\(data (?:\S+ )?\(i32\.const (\d+)\) "(.*)"\)$/s.exec(form);
    return { address: Number(address), bytes: bytesOf(text) };
  });
}

/** Entries of the table: [{slot, name}]. */
function slotsOf(elements) {
  return elements.flatMap((form) => {
    const [, first, names] = /^\(elem (?:\$\S+ )?\(i32\.const (\d+)\) (?:func )?(.*)\)$/s.exec(form);
    return names.split(/\s+/).map((name, i) => ({ slot: Number(first) + i, name }));
  });
}

// --- Who needs what ---------------------------------------------------------------------------------------------------

/** The lesson in whose namespace a function is, if it is in one. */
const lessonOf = (name) => /^\$attn::lessons::([a-z]\w*)::/.exec(name)?.[1].replaceAll('_', '-');

/** The lessons that a function of the table belongs to, as far as its name tells. */
function lessonsEnteredBy(name, lessons) {
  if (lessonOf(name)) return [lessonOf(name)];
  const stage = /^\$attn::ui::(twin|board)_stage::/.exec(name)?.[1];
  return stage ? lessons.filter((lesson) => TWINS.includes(lesson) === (stage === 'twin')) : [BASE];
}

/** Which file each function goes to: BASE or the names of lessons joined by dots. Functions nobody needs stay in BASE. */
function ownersOf(module, slots) {
  const uses = new Map(); // in the table; functions that were alike have been merged, and have several
  for (const { name } of slots) uses.set(name, (uses.get(name) ?? 0) + 1);
  const pinned = new Set(uses.keys());
  const lessons = [...new Set([...uses.keys()].map(lessonOf).filter(Boolean))].sort();
  for (const form of [...module.exports, ...module.start])
    for (const match of form.matchAll(/\((?:func|start) (\S+?)\)/g)) pinned.add(match[1]);
  const needs = new Map(); // function → set of lessons, or {BASE}
  const work = [];
  for (const name of module.functions.keys()) {
    if (!pinned.has(name)) continue;
    needs.set(name, new Set(uses.get(name) === 1 ? lessonsEnteredBy(name, lessons) : [BASE]));
    work.push(name);
  }
  while (work.length > 0) {
    const caller = work.pop();
    for (const callee of module.functions.get(caller).calls) {
      if (!module.functions.has(callee)) continue;
      const before = needs.get(callee) ?? new Set();
      const after = new Set([...before, ...needs.get(caller)]);
      if (after.size === before.size || before.has(BASE)) continue;
      needs.set(callee, after.has(BASE) ? new Set([BASE]) : after);
      work.push(callee);
    }
  }
  const sizes = new Map();
  const fileOf = (name) => [...(needs.get(name) ?? [BASE])].sort().join('.');
  for (const [name, { text }] of module.functions) sizes.set(fileOf(name), (sizes.get(fileOf(name)) ?? 0) + text.length);
  const worthIt = (file) => !file.includes('.') || sizes.get(file) >= SMALLEST_SHARED_FILE;
  return new Map([...module.functions.keys()].map((name) => {
    const file = fileOf(name);
    return [name, worthIt(file) && file.split('.').length < lessons.length ? file : BASE];
  }));
}

/** Texts that one file alone refers to: [{file, address, end}], by address. A number that merely looks like the address of
 * a text can only keep it where it is. The linker must not have merged texts by their ends (-O0). */
function textsOf(module, owners, segments) {
  const first = segments[0].address;
  const memory = new Uint8Array(Math.max(...segments.map(({ address, bytes }) => address + bytes.length)));
  for (const { address, bytes } of segments) memory.set(bytes, address);
  const references = new Map(); // address → set of files
  const refer = (address, file) => references.set(address, (references.get(address) ?? new Set()).add(file));
  for (const [name, { text }] of module.functions)
    for (const [, constant, offset] of text.matchAll(/i32\.const (\d+)|offset=(\d+)/g)) refer(Number(constant ?? offset), owners.get(name));
  const words = new DataView(memory.buffer, 0, memory.length);
  for (let address = (first + 3) & ~3; address + 4 <= memory.length; address += 4) refer(words.getUint32(address, true), BASE);

  const texts = [];
  for (let address = first, end; address < memory.length; address = end + 1) {
    end = memory.indexOf(0, address);
    if (end < 0) break;
    const [file, ...others] = references.get(address) ?? [BASE];
    if (end - address >= SHORTEST_TEXT && file !== BASE && others.length === 0) texts.push({ file, address, end });
  }
  return { texts, memory };
}

// --- Writing ----------------------------------------------------------------------------------------------------------

/** `(param …) (result …)` of a function or of an import of one. */
const signatureOf = (text) => [...text.split('\n')[0].matchAll(/\((?:param|result)[^)]*\)/g)].map(([part]) => part).join(' ');

function trampoline(name, text, slot) {
  const parameters = signatureOf(text).match(/\(param \$/g)?.length ?? 0;
  const type = signatureOf(text).replaceAll(/ \$\S+/g, '');
  const operands = Array.from({ length: parameters }, (_, i) => `(local.get ${i})`).join(' ');
  return `(func ${name} ${signatureOf(text)} (call_indirect ${type} ${operands} (i32.const ${slot})))`;
}

function assemble(file, forms) {
  const text = path.join(scratch, 'one.wat');
  writeFileSync(text, `(module\n ${forms.filter(Boolean).join('\n ')}\n)\n`, 'latin1');
  mkdirSync(path.dirname(file), { recursive: true });
  const whole = path.join(scratch, 'one.wasm');
  run('wasm-as', text, '-o', whole);
  run('wasm-opt', whole, '-Oz', '-o', file);
}

/** Its lessons, or how many and which first where they are many. */
function nameOf(file) {
  const lessons = file.split('.');
  return lessons.length <= 3 ? file : `${lessons.length}-lessons-${lessons[0]}-to-${lessons.at(-1)}`;
}

const dataForm = (address, bytes) => `(data (i32.const ${address}) "${escapedText(bytes)}")`;

function split(module) {
  const slots = slotsOf(module.elements);
  const owners = ownersOf(module, slots);
  const segments = segmentsOf(module.data);
  const { texts, memory } = textsOf(module, owners, segments);
  const files = [...new Set(owners.values())].filter((file) => file !== BASE).sort();
  const memberOf = (file) => (name) => owners.get(name) === file;

  // Moved functions that somebody outside their file calls, or that the table holds, have a slot.
  const slotOf = new Map();
  for (const { slot, name } of slots) if (owners.get(name) !== BASE && !slotOf.has(name)) slotOf.set(name, slot);
  const tableSize = Number(/(\d+) \d+ funcref/.exec(module.table)[1]);
  const called = new Set(); // from another file
  for (const [caller, { calls }] of module.functions)
    for (const callee of calls)
      if (module.functions.has(callee) && owners.get(callee) !== BASE && owners.get(callee) !== owners.get(caller)) called.add(callee);
  let nextSlot = tableSize;
  for (const name of called) if (!slotOf.has(name)) slotOf.set(name, nextSlot++);
  const firstPages = /\$0 (\d+)/.exec(module.memory)[1];
  const table = module.table.replace(/\d+ \d+ funcref/, `${nextSlot} ${nextSlot} funcref`);

  // What the files import from the base: memory, table, globals, and functions by number.
  const exported = new Map();
  const exportName = (name) => {
    if (!exported.has(name)) exported.set(name, `.${exported.size.toString(36)}`);
    return exported.get(name);
  };
  const importOf = new Map(module.imports.map((form) => [/\((?:func|global|memory|table) (\S+?)[\s)]/.exec(form)[1], form]));
  const imported = (name) => {
    const text = module.functions.get(name)?.text ?? importOf.get(name);
    return `(import "${BASE}" "${exportName(name)}" (func ${name} ${signatureOf(text.replace(/^\(import "\S+" "\S+" /, ''))}))`;
  };
  const globalType = new Map(module.globals.map((form) => /^\(global (\S+) (\(mut \w+\)|\w+)/.exec(form).slice(1)));

  for (const file of files) {
    const own = [...module.functions].filter(([name]) => memberOf(file)(name));
    const outside = new Set(own.flatMap(([, { calls }]) => [...calls]).filter((name) => !memberOf(file)(name)));
    const globals = new Set(own.flatMap(([, { text }]) => [...text.matchAll(/global\.[gs]et (\S+?)[\s)]/g)].map((match) => match[1])));
    assemble(path.join(output, 'lessons', `${nameOf(file)}.wasm`), [
      ...module.types,
      `(import "${BASE}" "${exportName('memory')}" (memory $0 ${firstPages}))`,
      `(import "${BASE}" "${exportName('table')}" (table $0 ${nextSlot} funcref))`,
      ...[...globals].map((name) => `(import "${BASE}" "${exportName(name)}" (global ${name} ${globalType.get(name)}))`),
      ...[...outside].map(imported),
      ...[...slotOf].filter(([name]) => memberOf(file)(name)).map(([name, slot]) => `(elem (i32.const ${slot}) ${name})`),
      ...runsOf(texts.filter((text) => text.file === file)).map(({ address, end }) => dataForm(address, memory.subarray(address, end + 1))),
      ...own.map(([, { text }]) => text),
    ]);
  }

  const notHere = '$not_loaded';
  assemble(path.join(output, 'playground.wasm'), [
    ...module.types,
    ...module.imports,
    ...module.globals,
    module.memory,
    table,
    ...slots.map(({ slot, name }) => `(elem (i32.const ${slot}) ${owners.get(name) === BASE ? name : notHere})`),
    ...module.exports,
    ...module.start,
    ...[...exported].map(([name, as]) => `(export "${as}" ${name === 'memory' ? '(memory $0)' : name === 'table' ? '(table $0)'
      : globalType.has(name) ? `(global ${name})` : `(func ${name})`})`),
    ...remaining(segments, texts).map(({ address, bytes }) => dataForm(address, bytes)),
    `(func ${notHere} (unreachable))`,
    ...[...module.functions].filter(([name]) => memberOf(BASE)(name)).map(([, { text }]) => text),
    ...[...called].map((name) => trampoline(name, module.functions.get(name).text, slotOf.get(name))),
  ]);
  return files;
}

/** Neighbouring texts as one. */
function runsOf(texts) {
  const runs = [];
  for (const { address, end } of texts) {
    const last = runs.at(-1);
    if (last && last.end + 1 === address) last.end = end;
    else runs.push({ address, end });
  }
  return runs;
}

/** The segments without the texts. */
function remaining(segments, texts) {
  const left = [];
  for (const { address, bytes } of segments) {
    let from = address;
    const stop = address + bytes.length;
    for (const run of [...runsOf(texts), { address: stop, end: stop }]) {
      if (run.end < from || run.address > stop) continue;
      if (run.address > from) left.push({ address: from, bytes: bytes.subarray(from - address, run.address - address) });
      from = Math.min(run.end + 1, stop);
    }
  }
  return left;
}

const files = split(read(input.replace(/\.js$/, '.wasm')));
const lessons = [...new Set(files.flatMap((file) => file.split('.')))].sort();
const needed = Object.fromEntries(lessons.map((lesson) => [lesson,
  files.filter((file) => file.split('.').includes(lesson)).map((file) => `lessons/${nameOf(file)}.wasm`)]));
writeFileSync(path.join(output, 'lesson_files.js'),
  `export const LESSON_FILES = ${JSON.stringify(needed, null, 1)};\nexport const LESSON_MODELS = ${JSON.stringify(MODELS, null, 1)};\n`);
copyFileSync(input, path.join(output, 'playground.js'));
