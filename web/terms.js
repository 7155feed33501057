// Terms of the glossary in the narration: words that open a card with what they mean. One card at a time; it closes by
// the same word, by Escape, and when the focus goes elsewhere, so nothing is listened to outside the element.
import { make } from './make.js';

const GAP = 6; // between word and card, and between card and the element's edge, CSS pixels

/** A word that opens the card. No <button>: its text stays selectable and breaks over lines like any other. */
export function termWord(text, name, definition) {
  const word = make('span', 'term', [text]);
  word.setAttribute('role', 'button');
  word.setAttribute('aria-expanded', 'false');
  word.tabIndex = 0;
  Object.assign(word.dataset, { name, definition });
  return word;
}

export class TermCard {
  #word = null;

  /** `narration` holds the words; the card's `element` goes where its place is relative to. */
  constructor(narration) {
    // Always there, so that a screen reader speaks what comes in.
    this.element = make('div', 'card hidden');
    this.element.setAttribute('aria-live', 'polite');
    this.element.tabIndex = -1;
    const wordOf = ({ target }) => target.closest('.term');
    narration.addEventListener('click', (event) => this.#toggle(wordOf(event)));
    narration.addEventListener('keydown', (event) => {
      if (!wordOf(event) || !['Enter', ' '].includes(event.key)) return;
      event.preventDefault();
      this.#toggle(wordOf(event));
    });
    narration.addEventListener('scroll', () => this.close());
    for (const place of [narration, this.element]) {
      place.addEventListener('focusout', ({ relatedTarget }) => {
        if (relatedTarget !== this.element && relatedTarget !== this.#word) this.close();
      });
      place.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape' || !this.#word) return;
        event.stopImmediatePropagation();
        this.#word.focus();
        this.close();
      });
    }
  }

  close() {
    if (!this.#word) return;
    this.#word.setAttribute('aria-expanded', 'false');
    this.#word = null;
    this.element.classList.add('hidden');
    this.element.replaceChildren();
  }

  #toggle(word) {
    const again = word === this.#word;
    this.close();
    if (!word || again) return;
    this.#word = word;
    word.setAttribute('aria-expanded', 'true');
    word.focus({ preventScroll: true });
    this.element.replaceChildren(make('b', '', [word.dataset.name]), make('p', '', [word.dataset.definition]));
    this.element.classList.remove('hidden');
    this.#place(word);
  }

  /** Under the word's first line, over it where there is no room; also in a page scaled by a CSS transform. */
  #place(word) {
    const { element } = this;
    const room = element.parentElement;
    const frame = room.getBoundingClientRect();
    const scale = room.clientWidth / frame.width;
    const line = word.getClientRects()[0];
    const [left, top, bottom] = [line.left - frame.left, line.top - frame.top, line.bottom - frame.top].map((at) => at * scale);
    const under = bottom + GAP;
    const fits = under + element.offsetHeight + GAP <= room.clientHeight;
    element.style.left = `${Math.max(GAP, Math.min(left, room.clientWidth - element.offsetWidth - GAP))}px`;
    element.style.top = `${Math.max(GAP, fits ? under : top - GAP - element.offsetHeight)}px`;
  }
}
