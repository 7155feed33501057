// Types of attention-playground.js: the element <attention-playground>, its state, its errors and its events.

export type Language = 'zh' | 'en';
export type Theme = 'auto' | 'light' | 'dark';

/** A tensor the reader looks at, and a cell of it; row and column are -1 where none is chosen. */
export interface Cell {
  tensor: string; // "encoder.0.self_attention.weights"
  head: number;
  row: number;
  column: number;
}

export interface Parameter {
  name: string;
  title: string;
  kind: 'number' | 'choice' | 'toggle';
  min: number;
  max: number; // what the other values allow now
  value: number;
  choices: { value: number; title: string }[];
}

/** The sentence of a lesson that lets the reader write another. */
export interface Sentence {
  text: string;
  own: string; // the lesson's
  words: string[];
  fewest: number; // words
  most: number;
  longest_word: number; // characters
  name: string;
  hint: string;
  refused: string;
}

export interface TextRun {
  text: string;
  role: 'plain' | 'strong' | 'code' | 'q' | 'k' | 'v' | 'out' | 'mem' | 'eq' | 'ne';
  term?: string;
  definition?: string;
}

/** What the canvas shows, in the reader's language. */
export interface State {
  revision: number;
  lesson: string;
  lang: Language;
  theme: Theme;
  step: number; // from 1
  steps: number;
  title: string;
  answer: 'none' | 'open' | 'wrong' | 'right';
  answer_text: string;
  paragraphs: TextRun[][];
  brief: TextRun[];
  try_it: TextRun[];
  formula_mathml: string;
  formula_text: string;
  parameters: Parameter[];
  sentence: Sentence | null;
  work?: {done: number; total: number}; // training, of a lesson in which play() trains: steps taken, and in all
  waiting: string; // the file that is being fetched before what was asked for can be shown; '' for none
  editable: string[]; // tensors whose cells may be changed
  edits: (Cell & { value: number })[];
  focus: Cell;
  table: { caption: string; columns: string[]; rows: { head: string; cells: string[] }[] };
  verdict: {
    equal: number;
    total: number;
    first_different: string | null;
    largest_difference: number | null;
    ulp: number;
  } | null;
  announcement: string;
}

export type ErrorCode = 'webgl' | 'simd' | 'csp' | 'load' | 'lesson' | 'contextlost' | 'input';

export class PlaygroundError extends Error {
  code: ErrorCode;
  /** The cause, in English. */
  detail: string;
  /** The cause, for a reader. */
  reason: { zh: string; en: string };
  /** Texts to write instead of a sentence that was refused. */
  suggestions: string[];
}

/** Methods that ask for something throw a PlaygroundError of code 'input' where it is refused; nothing changes then. */
export class AttentionPlayground extends HTMLElement {
  lesson: string;
  step: number; // from 1
  theme: Theme;
  loading: 'lazy' | 'eager';

  /** Resolves when the first frame is drawn; rejects with a PlaygroundError where it can't be. */
  readonly ready: Promise<AttentionPlayground>;
  /** How many frames were drawn; it stands still while nothing changes. */
  readonly framesDrawn: number;

  /** A copy of the state, null before it is ready. */
  getState(): State | null;
  /** The text of the current step. */
  describe(): string;

  /** Resolves when the lesson is on screen. */
  open(lesson: string): Promise<void>;
  goTo(step: number): void;
  stepForward(): void;
  stepBack(): void;
  play(): void;
  pause(): void;

  /** One of getState().parameters, by its name. */
  setParameter(name: string, value: number | boolean): void;
  /** The sentence of a lesson that has one; "" brings back its own. */
  setSentence(text: string): void;
  /** A cell of a tensor in getState().editable. */
  setCell(cell: { tensor: string; row: number; column: number; head?: number }, value: number | boolean): void;

  undo(): void;
  redo(): void;
  /** The lesson as it was opened; can be undone. */
  reset(): void;

  /** Stops the engine and frees its GL context; connecting the element again starts afresh. */
  destroy(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'attention-playground': AttentionPlayground;
  }
  interface HTMLElementEventMap {
    'attn-ready': CustomEvent<{}>;
    'attn-error': CustomEvent<{ code: ErrorCode; message: string; hint: string; detail: string }>;
    'attn-stepchange': CustomEvent<{ step: number; steps: number }>;
    'attn-statechange': CustomEvent<{ revision: number; userInitiated: boolean }>;
    'attn-answer': CustomEvent<{ lesson: string; step: number; answer: 'wrong' | 'right'; userInitiated: boolean }>;
  }
}
