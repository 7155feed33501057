// A number typed with a finger's keyboard: a field of the page over the number on the canvas, which no keyboard comes up
// for. Enter, leaving the field and going elsewhere apply what is typed; Escape leaves the number as it was.
import { make } from './make.js';

const KIND = { none: 0, whole: 1, decimal: 2 };
const SMALLEST = { width: 76, height: 44 };
const DIGITS = 7; // of a float

const WORDS = {
  zh: { number: '输入一个数', sign: '换正负号' },
  en: { number: 'A number', sign: 'Change the sign' },
};

/** What is typed as a number; null where it is none. Some keyboards have a comma only, some a minus sign of their own. */
function numberIn(text) {
  const number = Number(text.trim().replace(',', '.').replace('−', '-') || NaN);
  return Number.isFinite(number) ? number : null;
}

export class NumberField {
  /** `done(number)`: null gives up. The canvas has the keyboard again when a key ends the typing. */
  constructor(canvas, done) {
    this.#canvas = canvas;
    this.#done = done;
    this.#sign = make('button', '', ['±']);
    this.#sign.type = 'button';
    this.#input = make('input');
    this.#input.type = 'text';
    this.#input.enterKeyHint = 'done';
    this.#input.autocomplete = 'off';
    this.element = make('div', 'number', [this.#sign, this.#input]);
    this.element.hidden = true;
    this.#sign.addEventListener('pointerdown', (event) => event.preventDefault()); // the field keeps the focus
    this.#sign.addEventListener('click', () => {
      const { value } = this.#input;
      this.#input.value = /^\s*[-−]/.test(value) ? value.replace(/^\s*[-−]/, '') : `-${value}`;
    });
    // A course page's keys (Space for the next slide) are not meant while somebody types.
    this.#input.addEventListener('keypress', (event) => event.stopPropagation());
    this.#input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') this.#close(true, true);
      if (event.key === 'Escape') this.#close(false, true);
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!this.element.contains(relatedTarget)) this.#close(true, false);
    });
  }

  #canvas;
  #done;
  #sign;
  #input;
  #field = { kind: KIND.none };
  #before = '';

  /** The number that the canvas shows as being typed, with its place. */
  follow(field) {
    this.#field = field;
    if (this.element.hidden) return;
    if (field.kind === KIND.none) this.element.hidden = true;
    else this.#place();
  }

  /** Inside a gesture of the reader's, else no keyboard comes up. */
  open(lang) {
    const { kind, number } = this.#field;
    if (kind === KIND.none || !this.element.hidden) return;
    const words = WORDS[lang] ?? WORDS.en;
    this.#before = String(Number(number.toPrecision(DIGITS)));
    this.#input.value = this.#before;
    this.#input.inputMode = kind === KIND.decimal ? 'decimal' : 'numeric';
    this.#input.setAttribute('aria-label', words.number);
    this.#sign.setAttribute('aria-label', words.sign);
    this.#sign.hidden = kind !== KIND.decimal; // keyboards for numbers often have no minus
    this.element.hidden = false;
    this.#place();
    this.#input.focus({ preventScroll: true });
    this.#input.select();
  }

  #place() {
    const [x, y, width, height] = this.#field.rect;
    const { clientWidth, clientHeight } = this.element.parentElement;
    const size = { width: Math.max(width, SMALLEST.width), height: Math.max(height, SMALLEST.height) };
    const inside = (at, length, room) => Math.max(0, Math.min(at, room - length));
    this.#input.style.width = `${size.width}px`;
    this.element.style.height = `${size.height}px`;
    const left = x + width / 2 - size.width / 2 - (this.#sign.hidden ? 0 : SMALLEST.height);
    this.element.style.left = `${inside(left, this.element.offsetWidth, clientWidth)}px`;
    this.element.style.top = `${inside(y + height / 2 - size.height / 2, size.height, clientHeight)}px`;
  }

  #close(apply, back) {
    if (this.element.hidden) return;
    this.element.hidden = true;
    const { value } = this.#input;
    this.#done(apply && value !== this.#before ? numberIn(value) : null);
    if (back) this.#canvas.focus({ preventScroll: true });
  }
}
