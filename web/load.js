// Fetches and starts the engine. One module instance per playground; the compiled code is shared between them.
import { asProblem, PlaygroundError } from './problems.js';

const FIRST_LESSON = 'mask-equivalence';
const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

function compileError(error) {
  const text = String(error?.message ?? error);
  return /Content Security Policy|unsafe-eval|wasm-eval|blocked by CSP/i.test(text)
    ? new PlaygroundError('csp', text)
    : new PlaygroundError('load', text);
}

async function answerOf(url) {
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch (error) {
    throw new PlaygroundError('load', `${url}: ${error.message}`);
  }
  if (!response.ok) throw new PlaygroundError('load', `${url}: HTTP ${response.status}`);
  return response;
}

async function compile(url) {
  const response = await answerOf(url);
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      throw compileError(error);
    }
  }
  // Some hosts serve .wasm under another type; some answer a missing file with a page and status 200.
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (WASM_MAGIC.some((byte, i) => bytes[i] !== byte)) throw new PlaygroundError('load', `${url}: not a wasm file`);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw compileError(error);
  }
}

const coming = new Map(); // URL → promise of what it holds, shared between playgrounds

function once(url, get) {
  if (!coming.has(url)) {
    const promise = get(url);
    coming.set(url, promise);
    promise.catch(() => coming.delete(url)); // so that a later playground tries again
  }
  return coming.get(url);
}

const compiledModule = (url) => once(url, compile);
const bytesAt = (url) => once(url, async () => {
  try {
    return new Uint8Array(await (await answerOf(url)).arrayBuffer());
  } catch (error) {
    throw asProblem(error);
  }
});

/** The files beside playground.wasm that lessons need, and which of them an engine has. */
class LessonFiles {
  #files; // slug → names
  #models; // slug → name of the weights it begins with
  #folder;
  #base = null; // what playground.wasm exports
  #here = new Set();

  /** Settles with the lesson that is being opened; null when none is. */
  opening = null;

  constructor(files, models, folder) {
    this.#files = files;
    this.#models = models;
    this.#folder = folder;
  }

  /** Whether a lesson can be opened at once; one that doesn't exist needs nothing. */
  has(lesson) { return this.#missing(lesson).length === 0; }

  #missing(lesson) { return (Object.hasOwn(this.#files, lesson) ? this.#files[lesson] : []).filter((file) => !this.#here.has(file)); }

  /** Begins to fetch what a lesson needs. */
  begin(lesson) {
    for (const file of this.#missing(lesson)) this.#fetch(file).catch(() => {});
    this.modelOf(lesson)?.catch(() => {});
  }

  #fetch(file) { return compiledModule(this.#url(file)); }

  #url(file) { return new URL(file, this.#folder).href; }

  /** The bytes of a file of weights. */
  model(file) { return bytesAt(this.#url(file)); }

  /** Those that a lesson begins with; undefined where it needs none. */
  modelOf(lesson) { return Object.hasOwn(this.#models, lesson) ? this.model(this.#models[lesson]) : undefined; }

  /** What came wasn't what it should be: it is fetched anew when it is asked for again. */
  forget(file) { coming.delete(this.#url(file)); }

  /** Resolves when the lesson can be opened; rejects with a PlaygroundError. */
  async add(lesson, base = this.#base) {
    this.#base = base;
    await Promise.all(this.#missing(lesson).map(async (file) => {
      const module = await this.#fetch(file);
      // Two lessons may both put a file in place that they share: the second time changes nothing.
      await WebAssembly.instantiate(module, { base });
      this.#here.add(file);
    }));
  }

  /** Calls `show` when the lesson's files are here: now if they are. Of several lessons that are asked for the last one
   * wins. `busy` is told when fetching begins and ends. */
  async open(lesson, show, busy) {
    this.opening = null;
    if (this.has(lesson)) {
      busy(false);
      return show();
    }
    this.begin(lesson);
    const fetched = this.add(lesson).catch((error) => { throw new PlaygroundError('lesson', asProblem(error).detail); });
    this.opening = fetched;
    busy(true);
    const isWanted = () => this.opening === fetched;
    try {
      await fetched;
      if (isWanted()) show();
    } catch (error) {
      if (isWanted()) throw error;
    } finally {
      if (isWanted()) {
        this.opening = null;
        busy(false);
      }
    }
  }
}

/**
 * Starts an engine on `canvas` with `lesson`, or its own first one where there is no such lesson. `attn` is what its C++
 * side calls (src/platform/web). Resolves to {engine, lessons}: the Emscripten module and the LessonFiles; rejects with a
 * PlaygroundError.
 */
export async function startEngine(baseUrl, canvas, attn, lesson) {
  const base = compiledModule(new URL('playground.wasm', baseUrl).href);
  const imported = (file) => import(new URL(file, baseUrl).href);
  const program = imported('playground.js');
  let factory, files, models, first, lessons;
  try {
    ({ LESSON_FILES: files, LESSON_MODELS: models } = await imported('lesson_files.js'));
    first = Object.hasOwn(files, lesson) ? lesson : FIRST_LESSON;
    lessons = new LessonFiles(files, models, baseUrl);
    lessons.begin(first);
    ({ default: factory } = await program);
    attn.model = await lessons.modelOf(first);
  } catch (error) {
    for (const other of [base, program]) other.catch(() => {}); // reported through this error
    throw asProblem(error);
  }
  const code = await base;
  let lastError = '';
  return new Promise((resolve, reject) => {
    const fail = (error) => reject(error instanceof PlaygroundError ? error : compileError(error));
    factory({
      canvas,
      attn,
      arguments: ['--lesson', first],
      printErr: (text) => {
        lastError = text;
        console.error(text);
      },
      onAbort: (reason) => fail(new PlaygroundError('load', String(lastError || reason))),
      instantiateWasm: (imports, receive) => {
        // `receive` starts the engine and throws where the code is not ours.
        WebAssembly.instantiate(code, imports)
          .then(async (instance) => {
            await lessons.add(first, instance.exports);
            receive(instance, code);
          }).catch(fail);
        return {};
      },
    }).then((engine) => {
      if (attn.page) return resolve({ engine, lessons });
      if (attn.model) lessons.forget(models[first]); // perhaps that was the reason
      return fail(new PlaygroundError(/WebGL|shader/i.test(lastError) ? 'webgl' : 'load', lastError));
    }, fail);
  });
}
