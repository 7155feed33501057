// The field for the reader's own sentence, where the lesson has one (lessons::SentenceRule, which says what may be written
// and what is said of it). What is typed is a draft until Enter or leaving the field applies it; Escape gives it up. A
// refused draft stays, with the engine's reason and what could be written instead, until it is changed, given up, or
// overtaken: by another lesson, or by another sentence while the field isn't in use.
import { make } from './make.js';
import { asProblem } from './problems.js';

/** What the IME takes for itself; Safari says so by the old key code alone when Enter ends a composition. */
const composes = (event) => event.isComposing || event.keyCode === 229;

/** What to show of a suggestion: its words that the draft doesn't have, where both have as many; else all of it. */
function shownOf(text, draft) {
  const words = text.split(' ');
  const before = draft.trim().split(/\s+/);
  const others = words.filter((word, i) => word !== before[i]);
  return words.length === before.length && others.length ? others.join(' ') : text;
}

export class SentenceField {
  /** `apply(text)`: makes it the lesson's sentence; throws a PlaygroundError if it can't be. */
  constructor(apply) {
    this.#apply = apply;
    this.#name = make('label');
    this.#input = make('input');
    this.#hint = make('p', 'hint');
    this.#alert = make('p', 'reason'); // always there, so that a screen reader speaks what comes in
    this.#alert.setAttribute('role', 'alert');
    this.#suggestions = make('div', 'suggestions');
    this.element = make('div', 'sentence', [this.#name, this.#input, this.#alert, this.#suggestions, this.#hint]);
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
      this.#refuse(null);
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
  #alert;
  #suggestions;
  #draft = null; // what is typed and not applied
  #lesson = '';
  #sentence = null; // as the state has it
  #refusal = null; // of the draft: a PlaygroundError
  #lang = 'en';

  /** The engine's reason stands beside the field. */
  get refused() { return this.#refusal !== null; }

  get #inUse() { return this.element.getRootNode().activeElement === this.#input; }

  write({ lang, lesson, sentence }) {
    const overtaken = sentence?.text !== this.#sentence?.text && !this.#inUse;
    if (lesson !== this.#lesson || !sentence || overtaken) this.#giveUp();
    this.#lesson = lesson;
    this.#sentence = sentence;
    this.element.hidden = !sentence;
    if (!sentence) return;
    this.#name.textContent = sentence.name;
    this.#hint.textContent = sentence.hint;
    this.#input.placeholder = sentence.own;
    if (lang !== this.#lang) {
      this.#lang = lang;
      this.#refuse(this.#refusal);
    }
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
    this.#refuse(null);
  }

  #submit() {
    const draft = this.#draft;
    if (draft === null) return;
    this.#giveUp(); // the state that comes of it is shown
    try {
      this.#apply(draft);
    } catch (error) {
      this.#draft = draft;
      this.#refuse(asProblem(error));
    }
    this.#follow();
  }

  /** Says why the draft wasn't taken, null: nothing, and offers what could be written instead. */
  #refuse(error) {
    if (!error && !this.refused) return;
    this.#refusal = error;
    this.#alert.textContent = error ? this.#sentence.refused + error.reason[this.#lang] : '';
    if (error) this.#input.setAttribute('aria-invalid', 'true');
    else this.#input.removeAttribute('aria-invalid');
    this.#suggestions.replaceChildren(...(error?.suggestions ?? []).map((text) => {
      const button = make('button', '', [shownOf(text, this.#draft)]);
      button.type = 'button';
      button.addEventListener('click', () => {
        this.#input.focus();
        this.#draft = text;
        this.#submit();
      });
      return button;
    }));
  }
}
