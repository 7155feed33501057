// The field for the reader's own sentence, where the lesson has one (lessons::SentenceRule). What is typed is a draft
// until Enter or leaving the field applies it; Escape gives it up. A refused draft stays, with the engine's reason, until
// it is changed, given up, or overtaken: by another lesson, or by another sentence while the field isn't in use.
import { make } from './make.js';
import { asProblem } from './problems.js';

const LONGEST_WORD = 12; // characters; lessons::kLongestWord

const WORDS = {
  zh: {
    name: '你的句子', refused: '没有采用，仍用刚才那一句：',
    hint: ({ fewest, most }) => `${fewest}–${most} 个词，每词不超过 ${LONGEST_WORD} 个字符，用空格隔开；都不空格时，一个汉字算一个词。`
      + '清空则恢复原句。',
  },
  en: {
    name: 'Your sentence', refused: 'Not taken; the sentence before stays:',
    hint: ({ fewest, most }) => `${fewest}–${most} words of at most ${LONGEST_WORD} characters. Empty the field for the lesson’s own.`,
  },
};

/** What the IME takes for itself; Safari says so by the old key code alone when Enter ends a composition. */
const composes = (event) => event.isComposing || event.keyCode === 229;

export class SentenceField {
  /** `apply(text)`: makes it the lesson's sentence; throws a PlaygroundError if it can't be. */
  constructor(apply) {
    this.#apply = apply;
    this.#name = make('label');
    this.#input = make('input');
    this.#hint = make('p', 'hint');
    this.#lead = make('span');
    this.#reason = make('span');
    this.#reason.lang = 'en'; // as the engine speaks to programs
    this.#alert = make('p', 'reason'); // always there, so that a screen reader speaks what comes in
    this.#alert.setAttribute('role', 'alert');
    this.element = make('div', 'sentence', [this.#name, this.#input, this.#alert, this.#hint]);
    this.element.hidden = true;
    this.#name.htmlFor = this.#input.id = 'sentence';
    this.#hint.id = 'sentence-hint';
    this.#alert.id = 'sentence-reason';
    this.#input.type = 'text';
    this.#input.enterKeyHint = 'done';
    const attributes = { autocomplete: 'off', autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false',
      'aria-describedby': 'sentence-reason sentence-hint' };
    for (const [name, value] of Object.entries(attributes)) this.#input.setAttribute(name, value);
    this.#input.addEventListener('input', () => {
      this.#draft = this.#input.value;
      this.#refuse('');
    });
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    // A course page's keys (Space for the next slide) are not meant while somebody types.
    this.#input.addEventListener('keypress', (event) => event.stopPropagation());
    this.element.addEventListener('focusout', () => {
      if (!this.refused) this.#submit();
    });
  }

  #apply;
  #name;
  #input;
  #hint;
  #lead;
  #reason;
  #alert;
  #draft = null; // what is typed and not applied
  #lesson = '';
  #sentence = null; // as the state has it
  #words = WORDS.en;

  /** The engine's reason stands beside the field. */
  get refused() { return this.#alert.hasChildNodes(); }

  get #inUse() { return this.element.getRootNode().activeElement === this.#input; }

  write({ lang, lesson, sentence }) {
    const overtaken = sentence?.text !== this.#sentence?.text && !this.#inUse;
    if (lesson !== this.#lesson || !sentence || overtaken) this.#giveUp();
    this.#lesson = lesson;
    this.#sentence = sentence;
    this.element.hidden = !sentence;
    if (!sentence) return;
    const words = (this.#words = WORDS[lang] ?? WORDS.en);
    this.#name.textContent = words.name;
    this.#hint.textContent = words.hint(sentence);
    this.#input.placeholder = sentence.own;
    if (this.refused) this.#lead.textContent = words.refused;
    this.#follow();
  }

  /** The sentence of the state, unless something else is being written. */
  #follow() {
    const text = this.#sentence?.text ?? '';
    if (this.#draft === null && this.#input.value !== text) this.#input.value = text;
  }

  #key(event) {
    if (!event.ctrlKey && !event.metaKey && event.key !== 'Tab' && event.key !== 'Escape') event.stopPropagation();
    if (composes(event)) {
      event.stopPropagation();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#submit();
    } else if (event.key === 'Escape' && this.#draft !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.#giveUp();
      this.#follow();
    }
  }

  #giveUp() {
    this.#draft = null;
    this.#refuse('');
  }

  #submit() {
    const draft = this.#draft;
    if (draft === null) return;
    this.#giveUp(); // the state that comes of it is shown
    try {
      this.#apply(draft);
    } catch (error) {
      this.#draft = draft;
      this.#refuse(asProblem(error).detail);
    }
    this.#follow();
  }

  #refuse(reason) {
    if (reason) {
      this.#lead.textContent = this.#words.refused;
      this.#reason.textContent = reason.replace(/^sentence: /, '');
      this.#alert.replaceChildren(this.#lead, ' ', this.#reason);
      this.#input.setAttribute('aria-invalid', 'true');
    } else if (this.refused) {
      this.#alert.replaceChildren();
      this.#input.removeAttribute('aria-invalid');
    }
  }
}
