// The canvas of one playground: when a frame is drawn, at which size, and what happens to its GL context.
// The other side is src/platform/web/run.cpp. Nothing is drawn while nothing changes, and nothing while the canvas is
// hidden, off-screen or without a size.

const CONTEXT_PATIENCE_MS = 5000;

/** Layouts of the narration, in the order of platform::NarrationLayout. */
const NARRATIONS = ['hidden', 'panel', 'strip', 'brief'];
/** Cursors, in the order of platform::Cursor. */
const CURSORS = ['default', 'pointer', 'text', 'grab'];

export class Stage {
  /**
   * `handlers`: drawn({narration, veiled, rect, minimumHeight, revision, byItself, litWords, field, holds}) after each frame, contextLost(onScreen) when the context did not come
   * back for five seconds, contextBack() when it did after all.
   */
  constructor(canvas, handlers) {
    this.canvas = canvas;
    this.framesDrawn = 0;
    this.maxPixelRatio = Infinity;
    this.#handlers = handlers;
    this.attn.drawn = (frame) => this.#drawn(frame);
    this.attn.started = (page) => { this.attn.page = page; };
  }

  #handlers;
  #engine = null;
  #cleanup = [];
  #animationFrame = 0;
  #timer = 0;
  #onScreen = true;
  #pausedAt = 0;
  #pausedFor = 0;
  #contextTimer = 0;
  #ratioQuery = null;

  /** Handed to the engine as Module.attn. */
  attn = { page: 0 };

  /** Begins to watch size, visibility and context. The engine draws its first frame in the next animation frame. */
  start(engine) {
    this.#engine = engine;
    this.#watchSize();
    this.#watchVisibility();
    this.#watchContext();
    this.#watchPreferences();
    this.resize();
  }

  /** Stops for good and gives the GL context back. */
  stop() {
    for (const undo of this.#cleanup.splice(0)) undo();
    this.#pause();
    clearTimeout(this.#contextTimer);
    this.#engine = null;
    this.canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** Something happened: the next frames are due. */
  requestFrame() {
    if (!this.#engine) return;
    this.#engine._attn_page_event(this.attn.page);
    this.#arm(0);
  }

  /** Milliseconds on a clock that stands still while nothing is shown. */
  now() {
    return (this.#pausedAt || performance.now()) - this.#pausedFor;
  }

  /** Draws outside the animation loop, for events that need the UI's answer at once. */
  drawNow(draw) {
    const result = draw(this.#engine, this.attn.page, this.now());
    this.requestFrame();
    return result;
  }

  /** A call that needs no answer: queues it for the next frame. */
  send(call) {
    if (!this.#engine) return;
    call(this.#engine, this.attn.page);
    this.requestFrame();
  }

  #listen(target, type, listener, options) {
    target.addEventListener(type, listener, options);
    this.#cleanup.push(() => target.removeEventListener(type, listener, options));
  }

  get #shown() {
    return this.#onScreen && document.visibilityState === 'visible';
  }

  #arm(seconds) {
    if (!this.#shown || seconds < 0) return;
    clearTimeout(this.#timer);
    if (seconds > 0) {
      this.#timer = setTimeout(() => this.#arm(0), seconds * 1000);
    } else if (!this.#animationFrame) {
      this.#animationFrame = requestAnimationFrame(() => {
        this.#animationFrame = 0;
        this.#draw();
      });
    }
  }

  #draw() {
    if (this.#engine) this.#arm(this.#engine._attn_page_frame(this.attn.page, this.now()));
  }

  #drawn(frame) {
    this.framesDrawn += 1;
    this.canvas.parentElement.style.cursor = CURSORS[frame.cursor];
    this.#handlers.drawn({ ...frame, narration: NARRATIONS[frame.narration], rect: frame });
  }

  #pause() {
    if (!this.#pausedAt) this.#pausedAt = performance.now();
    cancelAnimationFrame(this.#animationFrame);
    this.#animationFrame = 0;
    clearTimeout(this.#timer);
  }

  #updateVisibility() {
    if (!this.#shown) {
      this.#pause();
    } else if (this.#pausedAt) {
      this.#pausedFor += performance.now() - this.#pausedAt;
      this.#pausedAt = 0;
      this.#engine?._attn_page_shown(this.attn.page);
      this.requestFrame();
    }
  }

  #watchVisibility() {
    this.#listen(document, 'visibilitychange', () => this.#updateVisibility());
    const observer = new IntersectionObserver((entries) => {
      this.#onScreen = entries[entries.length - 1].isIntersecting;
      this.#updateVisibility();
    });
    observer.observe(this.canvas);
    this.#cleanup.push(() => observer.disconnect());
    this.#updateVisibility();
  }

  /** The backing size follows the box in device pixels; resizing and drawing happen in one task, so nothing flickers. */
  resize(deviceBox = null) {
    if (!this.#engine) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(devicePixelRatio || 1, this.maxPixelRatio);
    // The browser's own rounding of the box to device pixels, where it agrees with the ratio the page sees.
    const exact = deviceBox && Math.abs(deviceBox.inlineSize - width * ratio) < 1.5;
    const deviceWidth = exact ? deviceBox.inlineSize : Math.round(width * ratio);
    const deviceHeight = exact ? deviceBox.blockSize : Math.round(height * ratio);
    const changed = this.canvas.width !== deviceWidth || this.canvas.height !== deviceHeight;
    if (changed) {
      this.canvas.width = deviceWidth;
      this.canvas.height = deviceHeight;
    }
    this.#engine._attn_page_resize(this.attn.page, deviceWidth / ratio, deviceHeight / ratio, ratio);
    this.requestFrame();
    if (changed && this.framesDrawn > 0 && this.#shown) this.#draw();
  }

  #watchSize() {
    const observer = new ResizeObserver((entries) => {
      this.resize(entries[entries.length - 1].devicePixelContentBoxSize?.[0] ?? null);
    });
    try {
      observer.observe(this.canvas, { box: 'device-pixel-content-box' });
    } catch {
      observer.observe(this.canvas); // Safari knows no device-pixel box
    }
    this.#cleanup.push(() => observer.disconnect());
    this.#watchRatio();
  }

  /** A media query knows one ratio: after each change it is made anew. */
  #watchRatio() {
    this.#ratioQuery?.abort();
    const query = (this.#ratioQuery = new AbortController());
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
      this.resize();
      this.#watchRatio();
    }, { signal: query.signal });
    this.#cleanup.push(() => query.abort());
  }

  #watchPreferences() {
    const motion = matchMedia('(prefers-reduced-motion: reduce)');
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const tell = () => this.send((engine, page) =>
      engine._attn_page_preferences(page, motion.matches ? 1 : 0, dark.matches ? 1 : 0));
    this.#listen(motion, 'change', tell);
    this.#listen(dark, 'change', tell);
    tell();
  }

  #watchContext() {
    this.#listen(this.canvas, 'webglcontextlost', (event) => {
      event.preventDefault(); // else the browser never restores it
      this.#engine?._attn_page_context(this.attn.page, 1);
      this.#contextTimer = setTimeout(() => this.#handlers.contextLost(this.#onScreen), CONTEXT_PATIENCE_MS);
    });
    this.#listen(this.canvas, 'webglcontextrestored', () => {
      clearTimeout(this.#contextTimer);
      if (!this.#engine?._attn_page_context(this.attn.page, 0)) return;
      this.#handlers.contextBack();
      this.requestFrame();
    });
  }
}
