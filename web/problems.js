// What can keep the playground from starting, in words for a reader. The codes are those of `attn-error`.

const MESSAGES = {
  webgl: {
    zh: '这个浏览器画不出演示：缺少 WebGL 2。文字仍可阅读。',
    en: 'This browser cannot draw the playground: WebGL 2 is missing. The text still works.',
    hint: {
      zh: '请在浏览器设置里打开硬件加速，或换用新版 Chrome、Edge、Firefox 或 Safari。',
      en: 'Turn on hardware acceleration in the browser’s settings, or use a current Chrome, Edge, Firefox or Safari.',
    },
  },
  simd: {
    zh: '这个浏览器太旧，运行不了演示：缺少 WebAssembly SIMD。文字仍可阅读。',
    en: 'This browser is too old to run the playground: WebAssembly SIMD is missing. The text still works.',
    hint: {
      zh: '需要 Chrome 91、Firefox 89、Safari 16.4 或更新的版本。',
      en: 'It needs Chrome 91, Firefox 89, Safari 16.4 or newer.',
    },
  },
  csp: {
    zh: '本页的安全策略不允许运行 WebAssembly。文字仍可阅读。',
    en: 'This page’s security policy does not allow WebAssembly. The text still works.',
    hint: {
      zh: '给网站作者：在 Content-Security-Policy 的 script-src 中加入 \'wasm-unsafe-eval\'。',
      en: 'For the site’s author: add \'wasm-unsafe-eval\' to script-src in the Content-Security-Policy.',
    },
  },
  load: {
    zh: '演示没有加载成功。文字仍可阅读。',
    en: 'The playground did not load. The text still works.',
    hint: {
      zh: '请检查网络后重新加载页面。',
      en: 'Check the connection and load the page again.',
    },
  },
  lesson: {
    zh: '这一课没有取到，还留在原来的课里。',
    en: 'That lesson could not be fetched; you are still in the one before.',
    hint: {
      zh: '请检查网络，再选一次。',
      en: 'Check the connection and choose it again.',
    },
  },
  contextlost: {
    zh: '显卡收回了画面，暂时没有恢复。文字仍可阅读。',
    en: 'The graphics card took the picture back and has not returned it yet. The text still works.',
    hint: {
      zh: '请重新加载页面，或关掉一些带 3D 图形的标签页。',
      en: 'Load the page again, or close some tabs that use 3D graphics.',
    },
  },
  input: {
    zh: '有一项设置不被接受，已保持原状。',
    en: 'A setting was not accepted; nothing was changed.',
    hint: { zh: '', en: '' },
  },
};

/**
 * An error with a code of `attn-error`. `detail` is the cause in English, `reason` the same {zh, en} for a reader; a
 * technical cause is the same in both. `suggestions` are texts to write instead.
 */
export class PlaygroundError extends Error {
  /** `cause`: a text, or {zh, en, suggestions}. */
  constructor(code, cause = '') {
    const { suggestions = [], ...reason } = typeof cause === 'string' ? { zh: cause, en: cause } : cause;
    super(reason.en ? `${MESSAGES[code].en} (${reason.en})` : MESSAGES[code].en);
    Object.assign(this, { name: 'PlaygroundError', code, detail: reason.en, reason, suggestions });
  }
}

/** An error as a PlaygroundError; one of another kind came up while something was loaded. */
export function asProblem(error) {
  return error instanceof PlaygroundError ? error : new PlaygroundError('load', String(error?.message ?? error));
}

/** {message, hint} for a reader of `lang` ('zh' or 'en'). */
export function explain(code, lang) {
  const entry = MESSAGES[code] ?? MESSAGES.load;
  return { message: entry[lang], hint: entry.hint[lang] };
}

// (module (func (result v128) i32.const 0 i8x16.splat)): valid only where SIMD is.
const SIMD_MODULE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
]);

/**
 * Throws a PlaygroundError when this browser cannot run the engine. Gives `canvas` the WebGL context that the engine
 * will find there: one context is made a playground, and the graphics process starts while the engine still loads.
 */
export function probeBrowser(canvas) {
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(SIMD_MODULE)) throw new PlaygroundError('simd');
  const wanted = { alpha: false, antialias: false, depth: false, stencil: false };
  if (!canvas.getContext('webgl2', wanted)) throw new PlaygroundError('webgl');
}
