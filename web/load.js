// Fetches and starts the engine. One module instance per playground; the compiled code is shared between them.
import { PlaygroundError } from './problems.js';

const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

function compileError(error) {
  const text = String(error?.message ?? error);
  return /Content Security Policy|unsafe-eval|wasm-eval|blocked by CSP/i.test(text)
    ? new PlaygroundError('csp', text)
    : new PlaygroundError('load', text);
}

async function compile(url) {
  let response;
  try {
    response = await fetch(url, { credentials: 'same-origin' });
  } catch (error) {
    throw new PlaygroundError('load', `${url}: ${error.message}`);
  }
  if (!response.ok) throw new PlaygroundError('load', `${url}: HTTP ${response.status}`);
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

const compiled = new Map(); // URL → promise of a WebAssembly.Module

function compiledModule(url) {
  if (!compiled.has(url)) {
    const promise = compile(url);
    compiled.set(url, promise);
    promise.catch(() => compiled.delete(url)); // so that a later playground tries again
  }
  return compiled.get(url);
}

/**
 * Starts an engine on `canvas`. `attn` is what its C++ side calls (src/platform/web). Resolves to the Emscripten
 * module, rejects with a PlaygroundError.
 */
export async function startEngine(baseUrl, canvas, attn) {
  const wasm = compiledModule(new URL('playground.wasm', baseUrl).href);
  let factory;
  try {
    factory = (await import(new URL('playground.js', baseUrl).href)).default;
  } catch (error) {
    wasm.catch(() => {}); // reported through this error
    throw new PlaygroundError('load', String(error?.message ?? error));
  }
  const code = await wasm;
  let lastError = '';
  return new Promise((resolve, reject) => {
    const fail = (error) => reject(error instanceof PlaygroundError ? error : compileError(error));
    factory({
      canvas,
      attn,
      printErr: (text) => {
        lastError = text;
        console.error(text);
      },
      onAbort: (reason) => fail(new PlaygroundError('load', String(lastError || reason))),
      instantiateWasm: (imports, receive) => {
        // `receive` starts the engine and throws where the code is not ours.
        WebAssembly.instantiate(code, imports).then((instance) => receive(instance, code)).catch(fail);
        return {};
      },
    }).then((module) => (attn.page ? resolve(module) : fail(new PlaygroundError('webgl', lastError))), fail);
  });
}
