// <attention-playground lesson="mask-equivalence" lang="zh" theme="auto" step="1">what to show until it runs</attention-playground>
//
// Attributes (mirrored as properties): lesson, lang (zh | en; else the nearest [lang], else the browser's),
// theme (auto | light | dark), step (from 1), loading (lazy | eager), base-url (folder of playground.js and .wasm),
// max-dpr, one-lesson (nothing leads to another lesson). The element's children are shown until it is ready, and stay when it cannot run.
// The element is as high as the page makes it; --attn-minimum-height on it is what the screen needs at this width.
// Events (bubbling, composed): attn-ready, attn-error {code, message, hint, detail}, attn-stepchange {step, steps},
// attn-statechange {revision, userInitiated}, attn-answer {lesson, step, answer, userInitiated} when the question of a step
// comes to be answered, "wrong" or "right".
// Importing this module in a place without a DOM (a server) does nothing.
import { createGlyphs } from './glyphs.js';
import { attachInput, holdStill } from './input.js';
import { inheritedLanguage, languageOf, watchPage } from './language.js';
import { startEngine } from './load.js';
import { make } from './make.js';
import { Narration } from './narration.js';
import { showNotice, showProblem } from './notice.js';
import { NumberField } from './number.js';
import { asProblem, explain, PlaygroundError, probeBrowser } from './problems.js';
import { Session } from './session.js';
import { Stage } from './stage.js';
import { STYLES } from './styles.js';
import { supplyWeights } from './weights.js';

const THEMES = ['auto', 'light', 'dark'];
const SCROLLBAR_WIDTH = 32; // the widest a page's scrollbar may be, CSS pixels
const HAS_DOM = typeof HTMLElement === 'function' && typeof customElements === 'object';

class AttentionPlayground extends (HAS_DOM ? HTMLElement : Object) {
  static observedAttributes = ['lesson', 'lang', 'theme', 'step', 'max-dpr', 'one-lesson'];

  constructor() {
    super();
    this.#renewReady();
  }

  #root = null;
  #stage = null;
  #session = null;
  #lessons = null;
  #narration = null;
  #number = null;
  #state = null;
  #cleanup = [];
  #ready = null;
  #settle = null;
  #resume = null;
  #supply = null; // settles when the weights that the engine waits for have come
  #reserved = { height: 0, width: 0 };
  #starting = false;

  // --- Life ----------------------------------------------------------------------------------------------------------

  connectedCallback() {
    if (this.#root) return; // only moved
    this.#build();
    this.#watchPage();
    if (this.loading === 'eager' && !this.#resume) this.#start();
    else this.#whenNear(() => this.#start());
  }

  /** In another document its styles don't hold: the parts are made anew there, at the same place in the lesson. */
  adoptedCallback() {
    if (!this.#root) return;
    if (this.#state) this.#remember();
    this.destroy();
  }

  disconnectedCallback() {
    // An element that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (!this.isConnected) this.destroy();
    });
  }

  /** Stops the engine and frees its GL context; connecting the element again starts afresh. */
  destroy() {
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#stage?.stop();
    this.#stage = this.#session = this.#lessons = this.#state = this.#narration = this.#number = this.#supply = null;
    this.#starting = false;
    this.#root?.replaceChildren();
    this.#root = null;
    this.#renewReady();
  }

  /** The browser took the context of an element that is out of sight, as it does when a page has many: the engine goes,
   * and comes back as it was when the element is near the screen again. */
  #suspend() {
    this.#remember();
    this.destroy();
    this.connectedCallback();
  }

  #remember() {
    const { lesson, step, parameters, sentence, edits } = this.#state;
    this.#resume = { lesson, step, parameters, sentence, edits };
  }

  #takeUpAgain() {
    const before = this.#resume;
    if (!before) return;
    this.#resume = null;
    this.#do((session) => session.takeUp(before));
  }

  #renewReady() {
    this.#ready = new Promise((resolve, reject) => { this.#settle = { resolve, reject }; });
    this.#ready.catch(() => {}); // a page that doesn't ask still gets attn-error
  }

  #build() {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const sheet = new (this.ownerDocument.defaultView ?? window).CSSStyleSheet();
    sheet.replaceSync(STYLES);
    shadow.adoptedStyleSheets = [sheet];
    this.#root = make('div', 'root', [make('div', 'fallback', [document.createElement('slot')])]);
    this.#root.part = 'root';
    this.#root.dataset.state = 'waiting';
    shadow.replaceChildren(this.#root);
    this.#applyTheme(this.theme);
  }

  #whenNear(start) {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      start();
    }, { rootMargin: '300px' });
    observer.observe(this);
    this.#cleanup.push(() => observer.disconnect());
  }

  async #start() {
    this.#starting = true;
    const root = this.#root;
    const canvas = document.createElement('canvas');
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application'); // keys are its own while it has the focus
    try {
      probeBrowser(canvas);
      const stage = new Stage(canvas, {
        drawn: (frame) => this.#drawn(frame),
        contextLost: (onScreen) => (onScreen ? this.#fail(new PlaygroundError('contextlost')) : this.#suspend()),
        contextBack: () => { root.dataset.state = 'ready'; root.querySelector('.problem')?.remove(); },
      });
      stage.attn.glyphs = createGlyphs();
      stage.attn.open = (lesson) => this.#open(lesson, true).catch((error) => this.#refuse(error));
      stage.maxPixelRatio = this.#maxPixelRatio;
      const narration = new Narration({
        word: (topic) => this.#stage?.send((engine, page) => engine._attn_page_word(page, topic)),
        cell: (row, column) => {
          const { tensor, head } = this.#state.focus;
          this.#command({ set: 'focus', value: { tensor, head, row, column } }, true);
        },
        sentence: (text) => this.#command({ set: 'sentence', value: text }, true),
      });
      const number = new NumberField(canvas, (value) =>
        this.#stage?.send((engine, page) => engine._attn_page_typed(page, value === null ? 2 : 1, value ?? 0)));
      root.append(make('div', 'surface', [canvas]), number.element, narration.element, narration.live,
        narration.card.element);
      const { engine, lessons } = await startEngine(this.#folder(), canvas, stage.attn,
        this.#resume?.lesson ?? this.getAttribute('lesson'));
      if (this.#root !== root) { // destroyed meanwhile
        stage.stop();
        return;
      }
      this.#stage = stage;
      this.#session = new Session(engine);
      this.#lessons = lessons;
      this.#narration = narration;
      this.#number = number;
      this.#cleanup.push(attachInput(stage, () => number.open(this.#language())));
      this.#applyAttributes();
      this.#takeUpAgain();
      stage.start(engine);
    } catch (error) {
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
      if (this.#root !== root) return;
      this.#fail(asProblem(error));
    } finally {
      this.#starting = false;
    }
  }

  /** Where playground.js and .wasm are: base-url, with or without its slash, else this module's own folder. */
  #folder() {
    const folder = this.getAttribute('base-url');
    return folder ? new URL(folder.replace(/\/*$/, '/'), this.ownerDocument.baseURI) : new URL('.', import.meta.url);
  }

  #fail(error) {
    const { message, hint } = explain(error.code, this.#language());
    showProblem(this.#root, message, hint, error.detail);
    this.#root.dataset.state = 'failed';
    this.#emit('attn-error', { code: error.code, message, hint, detail: error.detail });
    this.#settle.reject(error);
  }

  #emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  // --- Frames and state ----------------------------------------------------------------------------------------------

  #drawn({ narration, veiled, rect, minimumHeight, revision, byItself, litWords, field, holds }) {
    const first = this.#root.dataset.state === 'waiting';
    if (revision !== this.#state?.revision) this.#readState(!byItself);
    this.#narration.place(narration, rect, veiled);
    this.#narration.light(litWords);
    this.#number.follow(field);
    holdStill(this.#stage.canvas, holds);
    this.#reserve(minimumHeight);
    if (!first) return;
    this.#root.dataset.state = 'ready';
    this.#emit('attn-ready');
    this.#settle.resolve(this);
  }

  /** Says what the screen needs. A scrollbar that this brings about narrows the element and may change the need: within
   * its width the need only grows, or the two would chase each other. */
  #reserve(height) {
    const width = this.clientWidth;
    const reserved = this.#reserved;
    if (height === reserved.height) return;
    if (height < reserved.height && Math.abs(width - reserved.width) <= SCROLLBAR_WIDTH) return;
    this.#reserved = { height, width };
    this.style.setProperty('--attn-minimum-height', `${height}px`);
  }

  #readState(userInitiated) {
    const before = this.#state;
    const state = this.#session.state();
    this.#state = state;
    this.#narration.write(state);
    this.#applyTheme(state.theme);
    this.#stage.canvas.setAttribute('aria-label', `Attention Playground: ${state.title}`);
    if (state.waiting && !this.#supply) this.#fetchWeights(state.waiting, userInitiated);
    if (!before) return;
    if (before.step !== state.step) this.#emit('attn-stepchange', { step: state.step, steps: state.steps });
    this.#emit('attn-statechange', { revision: state.revision, userInitiated });
    const { lesson, step, answer } = state;
    const news = ['lesson', 'step', 'answer'].some((part) => before[part] !== state[part]);
    if (news && ['wrong', 'right'].includes(answer)) this.#emit('attn-answer', { lesson, step, answer, userInitiated });
  }

  /** Has the session do something, for the page or for the reader, and shows what comes of it. */
  #do(act, byReader = false) {
    if (!this.#session) throw new PlaygroundError('input', 'the playground is not ready');
    act(this.#session);
    if (this.#state) this.#readState(byReader);
    this.#stage.requestFrame();
  }

  #command(command, byReader = false) { this.#do((session) => session.command(command), byReader); }

  /** Opens a lesson once its files are here. */
  async #open(lesson, byReader = false) {
    if (!this.#lessons) throw new PlaygroundError('input', 'the playground is not ready');
    await this.#lessons.open(lesson, () => this.#do((session) => session.open(lesson), byReader), () => this.#showBusy());
    await this.#supply;
  }

  #showBusy() {
    this.#root?.setAttribute('aria-busy', String(this.#supply !== null || this.#lessons?.opening !== null));
  }

  /** Fetches the weights that the engine waits for: what it was asked for happens then, or is refused. */
  #fetchWeights(file, byReader) {
    const session = this.#session;
    const isHere = () => this.#session === session; // not destroyed meanwhile
    this.#supply = supplyWeights(this.#lessons, file, { isHere, act: (act) => this.#do(act, byReader) }).finally(() => {
      if (!isHere()) return;
      this.#supply = null;
      this.#showBusy();
    });
    this.#supply.catch((error) => this.#refuse(error));
    this.#showBusy();
  }

  /** Says what was refused; the playground goes on as it was. */
  #refuse(error, what = '') {
    if (!this.#root || error.told) return; // taken away meanwhile, or said before
    error.told = true;
    const language = this.#language();
    const { code, reason } = asProblem(error);
    const { message, hint } = explain(code, language);
    const detail = `${what}${reason[language]}`;
    showNotice(this.#root, message, detail, language);
    this.#emit('attn-error', { code, message, hint, detail });
  }

  // --- Attributes ----------------------------------------------------------------------------------------------------

  attributeChangedCallback(name, before, after) {
    // The reader may have left the step that the attribute names: naming it again is a way back.
    if (!this.#session || (before === after && name !== 'step')) return;
    if (name === 'max-dpr') {
      this.#stage.maxPixelRatio = this.#maxPixelRatio;
      this.#stage.resize();
    } else {
      this.#apply(name);
    }
  }

  /** Sends what differs from the engine's own beginning. A place that is taken up again goes before the one named. */
  #applyAttributes() {
    const { lesson, lang, theme } = this.#session.state();
    if (this.#language() !== lang) this.#apply('lang');
    if (this.theme !== theme) this.#apply('theme');
    if (this.hasAttribute('one-lesson')) this.#apply('one-lesson');
    if (this.#resume) return;
    if (this.hasAttribute('lesson') && this.getAttribute('lesson') !== lesson) this.#apply('lesson');
    if (this.hasAttribute('step')) this.#apply('step');
  }

  async #apply(name) {
    try {
      // A step named with a lesson is one of it.
      if (name === 'step' && this.#lessons.opening && !(await this.#lessons.opening.then(() => true, () => false))) return;
      const value = this.getAttribute(name);
      if (name === 'lang') this.#command({ set: 'lang', value: this.#language() });
      else if (name === 'theme') this.#command({ set: 'theme', value: this.theme });
      else if (name === 'one-lesson') this.#command({ set: 'one_lesson', value: value !== null });
      else if (value === null) return;
      else if (name === 'lesson') await this.#open(value);
      else if (name === 'step') this.goTo(/^\d+$/.test(value) ? Number(value) : value);
    } catch (error) {
      if (this.#session) this.#refuse(error, `${name}: `);
    }
  }

  get #maxPixelRatio() {
    const ratio = Number(this.getAttribute('max-dpr'));
    return ratio > 0 ? ratio : Infinity;
  }

  #language() { return inheritedLanguage(this); }

  /** The colours of the HTML parts; the canvas resolves "auto" by the same system setting. */
  #applyTheme(theme) {
    const dark = theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
    this.#root.dataset.theme = dark ? 'dark' : 'light';
  }

  /** Follows the system's theme and the page's language while the attributes leave them open. */
  #watchPage() {
    this.#cleanup.push(watchPage(() => this.#applyTheme(this.#state?.theme ?? this.theme), () => {
      if (!languageOf(this.getAttribute('lang')) && this.#session) this.#apply('lang');
    }));
  }

  get theme() {
    const value = this.getAttribute('theme');
    return THEMES.includes(value) ? value : 'auto';
  }
  set theme(value) { this.setAttribute('theme', value); }
  get lesson() { return this.#state?.lesson ?? this.getAttribute('lesson') ?? ''; }
  set lesson(value) { this.setAttribute('lesson', value); }
  get step() { return this.#state?.step ?? (Number(this.getAttribute('step')) || 1); }
  set step(value) { this.setAttribute('step', value); }
  get loading() { return this.getAttribute('loading') === 'eager' ? 'eager' : 'lazy'; }
  set loading(value) { this.setAttribute('loading', value); }

  // --- Methods -------------------------------------------------------------------------------------------------------

  /** A promise of the element itself once it has drawn its first frame; rejected with the code when it cannot. */
  get ready() { return this.#ready; }
  /** Everything the page may know about the moment: a copy of the engine's state. */
  getState() { return this.#state ? structuredClone(this.#state) : null; }

  /** Opens a lesson; resolves when it is on screen. */
  open(lesson) { return this.#open(lesson); }
  stepForward() { this.#command({ do: 'step_forward' }); }
  stepBack() { this.#command({ do: 'step_back' }); }
  goTo(step) { this.#do((session) => session.goTo(step)); }
  play() { this.#command({ do: 'play' }); }
  pause() { this.#command({ do: 'pause' }); }
  undo() { this.#command({ do: 'undo' }); }
  redo() { this.#command({ do: 'redo' }); }
  reset() { this.#command({ do: 'reset' }); }
  /** A parameter of the lesson by name, e.g. setParameter('layers', 2). */
  setParameter(name, value) { this.#command({ set: 'parameter', name, value }); }
  /** The sentence of a lesson that has one, "" for its own; a refusal has a `reason` {zh, en} and `suggestions`. */
  setSentence(text) { this.#command({ set: 'sentence', value: text }); }
  /** A cell {tensor, row, column, head = 0} of a tensor in getState().editable. */
  setCell(cell, value) { this.#do((session) => session.setCell(cell, value)); }

  /** The current step in words. */
  describe() { return this.#narration?.full.innerText ?? ''; }

  /** How many frames were drawn; it stands still while nothing changes. */
  get framesDrawn() { return this.#stage?.framesDrawn ?? 0; }
}

if (HAS_DOM && !customElements.get('attention-playground')) {
  customElements.define('attention-playground', AttentionPlayground);
}

export { AttentionPlayground, PlaygroundError };
