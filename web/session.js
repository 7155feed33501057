// What a page asks of an engine and hears from it: the calls of src/api/session_api.h.
import { PlaygroundError } from './problems.js';

const LONGEST_TEXT = 65536; // of one command, UTF-16 units; the engine's own limit is lower
const FARTHEST_STEP = 1e6; // more than any lesson has

/** A number as the bits of the float32 that the engine has: nothing is rounded on the way. */
const bitsOf = (number) => new Uint32Array(Float32Array.of(number).buffer)[0];

export class Session {
  #engine;

  constructor(engine) { this.#engine = engine; }

  state() {
    const state = JSON.parse(this.#text('_attn_state_json'));
    state.step += 1; // the engine counts from 0, people and attributes from 1
    return state;
  }

  /** Carries out a command of src/api/command.h; throws a PlaygroundError('input') if it is refused. */
  command(command) { this.#call('_attn_command', JSON.stringify(command)); }

  open(lesson) { this.#call('_attn_open', lesson); }

  goTo(step) {
    if (!Number.isInteger(step) || Math.abs(step) > FARTHEST_STEP)
      throw new PlaygroundError('input', {
        zh: `第几步要写成从 1 开始的整数，不能是 ${String(step)}`, en: `a step is a whole number from 1, not ${String(step)}`,
      });
    this.command({ set: 'step', value: step - 1 });
  }

  setCell(cell, value) {
    const { tensor, head, row, column } = cell ?? {};
    this.command({ set: 'cell', value: { tensor, head, row, column, bits: bitsOf(value) } });
  }

  /** Goes where a state was, in the lesson that is open: all that the reader had changed. */
  takeUp({ step, parameters, sentence, edits }) {
    this.goTo(step);
    for (const { name, value } of parameters) this.command({ set: 'parameter', name, value });
    if (sentence) this.command({ set: 'sentence', value: sentence.text });
    for (const edit of edits) {
      try { this.setCell(edit, edit.value); } catch { /* of a size that isn't set now: nothing there to see */ }
    }
  }

  /** Gives the file that the engine waits for; throws a PlaygroundError('lesson') if it is refused. */
  provide(bytes) {
    const engine = this.#engine;
    const address = engine._malloc(bytes.length);
    engine.HEAPU8.set(bytes, address);
    const status = engine._attn_provide(address, bytes.length);
    engine._free(address);
    if (status !== 0) throw new PlaygroundError('lesson', JSON.parse(this.#text('_attn_last_refusal')));
  }

  /** The file can't be had. */
  giveUp() { this.#engine._attn_provide(0, 0); }

  #text(name) { return this.#engine.UTF8ToString(this.#engine[name]()); }

  #call(name, text) {
    if (text.length > LONGEST_TEXT) throw new PlaygroundError('input', { zh: '写得太长了', en: `a command of ${text.length} characters` });
    const engine = this.#engine;
    const capacity = 3 * text.length + 1; // UTF-8 takes at most three bytes a UTF-16 unit
    const address = engine._malloc(capacity);
    engine.stringToUTF8(text, address, capacity);
    const status = engine[name](address);
    engine._free(address);
    if (status !== 0) throw new PlaygroundError('input', JSON.parse(this.#text('_attn_last_refusal')));
  }
}
