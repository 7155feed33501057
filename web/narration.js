// The narration as real HTML over the canvas: selectable, searchable, printable, readable by a screen reader. It shows
// what the engine says (attn_state_json, src/api/session_api.h) in the rectangle that the canvas leaves free for it.
import { make } from './make.js';
import { SentenceField } from './sentence.js';
import { TermCard, termWord } from './terms.js';
import { ValueTable } from './values.js';

const WORDS = {
  zh: {
    step: (n, total) => `第 ${n} 步，共 ${total} 步`, table: '数值表', try: '试一试', narration: '讲解', more: '展开讲解',
    less: '收起讲解',
  },
  en: {
    step: (n, total) => `Step ${n} of ${total}`, table: 'Table of values', try: 'Try it', narration: 'Narration',
    more: 'Open the narration', less: 'Close the narration',
  },
};

/** Element and class of each role of lessons::Role, in its order after "plain"; unknown roles are plain. */
const ROLES = {
  strong: ['b', ''], code: ['code', ''], q: ['b', 'q'], k: ['b', 'k'], v: ['b', 'v'], out: ['b', 'out'],
  mem: ['b', 'mem'], eq: ['b', 'eq'], ne: ['b', 'ne'],
};

/** A topic (lessons::code_of) is what words and blocks of the canvas have in common: they light each other. */
const ROLE = 0xF;
const TENSOR = 0x3FF;

/** Words of one topic speak of the other: by role, or by tensor, of one layer or of any. */
function covers(word, other) {
  if (word & ROLE) return (word & ROLE) === (other & ROLE);
  return word === (word > TENSOR ? other & ~ROLE : other & TENSOR & ~ROLE);
}

function runs(list) {
  return (list ?? []).map(({ text, role, topic, term, definition }) => {
    const [tag, className] = ROLES[role] ?? [];
    const words = term ? termWord(text, term, definition) : document.createTextNode(text);
    if (!tag) return words;
    const element = make(tag, className, [words]);
    if (topic) element.dataset.topic = topic;
    return element;
  });
}

/** Pages that demand trusted types accept markup only through a policy; where it may not be made, the formula is text. */
let policy;
function trusted(markup) {
  if (policy === undefined) {
    try {
      policy = globalThis.trustedTypes?.createPolicy('attention-playground', { createHTML: (text) => text }) ?? null;
    } catch {
      policy = null;
    }
  }
  return policy ? policy.createHTML(markup) : markup;
}

function formula(state) {
  if (!state.formula_mathml) return [];
  const math = document.createElement('template');
  try {
    math.innerHTML = trusted(`<math display="block">${state.formula_mathml}</math>`);
  } catch {
    return [make('div', 'formula', [make('code', '', [state.formula_text])])];
  }
  const box = make('div', 'formula', [math.content]);
  box.addEventListener('scroll', () => markFormula(box), { passive: true });
  if (state.formula_text) box.firstChild.setAttribute('alttext', state.formula_text);
  return [box];
}

/** A heading in parts that a line keeps together where it can: Chinese breaks after a mark rather than inside a word. */
function heading(title) {
  const parts = title.match(/[^，、；：？！。]+[，、；：？！。]*/g) ?? [title];
  return parts.length > 1 && parts.join('') === title ? parts.map((part) => make('span', 'part', [part])) : [title];
}

const SMALLEST_FORMULA = 12;  // px; a wider one scrolls, and fades where it goes on

function markFormula({ classList, scrollLeft, clientWidth, scrollWidth }) {
  classList.toggle('before', scrollLeft > 1);
  classList.toggle('after', scrollLeft + clientWidth < scrollWidth - 1);
}

/** Shrinks a formula that is too wide for its box; where that is not enough, marks the sides on which it goes on. */
function fitFormula(box) {
  const { style } = box;
  style.fontSize = '';
  if (box.clientWidth > 0 && box.scrollWidth > box.clientWidth) {
    const size = parseFloat(getComputedStyle(box).fontSize) * box.clientWidth / box.scrollWidth;
    style.fontSize = `${Math.max(SMALLEST_FORMULA, Math.floor(size * 4) / 4)}px`;
  }
  markFormula(box);
}

/** How far the step's question is answered: nothing where it asks none. */
const answer = ({ answer: state, answer_text: text }, tag) => (text ? [make(tag, `answer ${state}`, [text])] : []);

export class Narration {
  /** `handlers`: word(topic) when the pointer comes to a word of another topic, or (0) to none;
   * cell(row, column) when the reader chooses a cell of the table; sentence(text) when the reader has written one,
   * throws a PlaygroundError if it can't be taken. */
  constructor(handlers) {
    this.#handlers = handlers;
    this.text = make('div');
    this.table = new ValueTable((row, column) => handlers.cell(row, column));
    this.sentence = new SentenceField((text) => handlers.sentence(text));
    this.full = make('div', 'full', [this.text, this.sentence.element, this.table.element]);
    this.brief = make('p', 'brief');
    this.live = make('div', 'hidden');
    this.live.setAttribute('aria-live', 'polite');
    this.more = make('button', 'more');
    this.more.type = 'button';
    this.element = make('section', 'narration', [this.brief, this.more, this.full]);
    this.element.dataset.layout = 'hidden';
    this.card = new TermCard(this.element);
    this.more.addEventListener('click', () => this.#open(!this.#isOpen));
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#isOpen) return;
      event.stopPropagation();
      this.#open(false);
    });
    // What has the focus must be seen: the text opens for as long as it has it.
    this.full.addEventListener('focusin', () => {
      if (this.#isOpen || !['strip', 'brief'].includes(this.element.dataset.layout)) return;
      this.#open(true);
      this.#openForFocus = true;
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      const stays = this.element.contains(relatedTarget) || relatedTarget === this.card.element;
      if (this.#openForFocus && !stays && !this.sentence.refused) this.#open(false);
    });
    this.element.addEventListener('pointerover', ({ target, pointerType }) => {
      this.#pointAt(pointerType === 'touch' ? null : target.closest('[data-topic]'));
    });
    this.element.addEventListener('pointerleave', () => this.#pointAt(null));
  }

  #handlers;
  #openForFocus = false;
  #word = 0;
  #lit = 0;
  #placed = '';
  #written = '';
  #words = WORDS.en;

  get #isOpen() {
    return 'open' in this.element.dataset;
  }

  /** Where there is room for one sentence only, the whole text opens over the stage. */
  #open(open) {
    if (open) this.element.dataset.open = '';
    else delete this.element.dataset.open;
    this.#openForFocus = false;
    this.#nameButton();
    this.#fitFormula();
  }

  #fitFormula() {
    this.text.querySelectorAll('.formula').forEach(fitFormula);
  }

  #nameButton() {
    const name = this.#isOpen ? this.#words.less : this.#words.more;
    this.more.setAttribute('aria-label', name);
    this.more.title = name;
    this.more.setAttribute('aria-expanded', String(this.#isOpen));
  }

  /** Writes a state; what did not change stays in place, so that a selection survives. */
  write(state) {
    const words = WORDS[state.lang] ?? WORDS.en;
    const key = JSON.stringify([state.lang, state.step, state.steps, state.title, state.paragraphs, state.brief,
      state.try_it, state.formula_mathml, state.answer]);
    if (state.announcement && state.announcement !== this.live.textContent) this.live.textContent = state.announcement;
    this.table.write(state, words.table);
    this.sentence.write(state);
    if (key === this.#written) return;
    this.#written = key;
    this.#words = words;
    this.#nameButton();
    const number = () => {
      const element = make('span', 'n', [`${state.step} / ${state.steps}`]);
      element.setAttribute('role', 'img');
      element.setAttribute('aria-label', words.step(state.step, state.steps));
      return element;
    };
    const focused = this.element.getRootNode().activeElement?.dataset.name;
    const suggestion = runs(state.try_it);
    this.element.lang = state.lang === 'zh' ? 'zh-Hans' : 'en';
    this.element.setAttribute('aria-label', words.narration);
    this.text.replaceChildren(
      number(),
      make('h2', '', heading(state.title)),
      ...state.paragraphs.map((paragraph) => make('p', '', runs(paragraph))),
      ...answer(state, 'p'),
      ...formula(state),
      ...(suggestion.length ? [make('div', 'try', [make('span', '', [words.try]), make('p', '', suggestion)])] : []),
    );
    this.brief.replaceChildren(number(), ...answer(state, 'span'), make('span', '', runs(state.brief)));
    this.#tint();
    this.#fitFormula();
    this.card.close();
    if (!focused) return;
    [...this.element.querySelectorAll('.term')].find((word) => word.dataset.name === focused && word.getClientRects().length)
      ?.focus({ preventScroll: true });
  }

  #pointAt(element) {
    const word = Number(element?.dataset.topic ?? 0);
    if (word === this.#word) return;
    this.#word = word;
    this.#handlers.word(word);
  }

  /** Tints the words that speak of a topic; 0 none. */
  light(topic) {
    if (topic === this.#lit) return;
    this.#lit = topic;
    this.#tint();
  }

  #tint() {
    for (const word of this.element.querySelectorAll('[data-topic]')) word.classList.toggle('lit', covers(Number(word.dataset.topic), this.#lit));
  }

  /** Puts it where the canvas leaves room; `rect` in CSS pixels. `veiled`: a card of the canvas is open. */
  place(layout, rect, veiled) {
    const key = `${layout} ${veiled} ${rect.x} ${rect.y} ${rect.width} ${rect.height}`;
    if (key === this.#placed) return;
    this.#placed = key;
    this.card.close();
    if (layout !== this.element.dataset.layout || veiled) this.#open(false);
    this.element.classList.toggle('veiled', veiled);
    this.element.dataset.layout = layout;
    const below = (this.element.parentElement?.clientHeight ?? 0) - rect.y - rect.height;
    const { style } = this.element;
    style.setProperty('--x', `${rect.x}px`);
    style.setProperty('--y', `${rect.y}px`);
    style.setProperty('--below', `${below}px`);
    style.setProperty('--width', `${rect.width}px`);
    style.setProperty('--height', `${rect.height}px`);
    this.#fitFormula();
  }
}
