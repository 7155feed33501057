// Pointer, wheel and keys of one canvas. Nothing is listened to on window or document, and nothing is kept from the
// page that the playground did not use.
//   pointer  captured while pressed; a finger that scrolls the page presses nothing, and scrolls anywhere but where the
//            engine holds the page still: over what moving the finger up and down changes
//   wheel    only while the canvas has the focus, or with Ctrl (a pinch on a trackpad)
//   keys     only while the canvas has the focus; Tab leaves at the ends of the playground's own order, Esc leaves when
//            there is nothing to clear

import { make } from './make.js';

/** Keys after 255, in the order of kNamedKeys in src/platform/web/keys.cpp. */
const NAMED_KEYS = [
  'Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Insert', 'Delete',
  'Backspace', 'Enter', 'Escape',
];
const FIRST_NAMED_KEY = 256;
const WHEEL_PIXELS_PER_NOTCH = 100;
const WHEEL_LINES_PER_NOTCH = 3;
const TAP_SLOP = 8; // CSS pixels a finger may move and still tap

const FOCUS_ENTRY = { none: 0, forward: 1, backward: 2 };
/** PointerEvent.button → ImGui's order. */
const BUTTONS = [0, 2, 1];

function keyNumber(event) {
  const named = NAMED_KEYS.indexOf(event.key);
  if (named >= 0) return FIRST_NAMED_KEY + named;
  if ([...event.key].length !== 1) return 0;
  const code = event.key.toLowerCase().codePointAt(0);
  return code >= 0x20 && code < 0x7f ? code : 0;
}

/** The code point a key types, 0 for none and for shortcuts. */
const typedBy = (event) =>
  event.ctrlKey || event.metaKey || [...event.key].length !== 1 ? 0 : event.key.codePointAt(0);

const modifiersOf = (event) =>
  (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);

/** Listens on the stage's canvas and, for the pointer, on its parent, which has the places that hold the page still on it;
 * returns a function that stops. `tapped` is called within the event of a finger's tap, once its effect is there. */
export function attachInput(stage, tapped) {
  const { canvas } = stage;
  const stop = new AbortController();
  const listen = (target) => (type, listener, options = {}) =>
    target.addEventListener(type, listener, { ...options, signal: stop.signal });
  const focus = { byPointer: false };
  attachPointer(stage, canvas, listen(canvas.parentElement), focus, tapped);
  attachKeys(stage, canvas, listen(canvas), focus);
  return () => stop.abort();
}

/** Lays an element over each rectangle in which a finger must not scroll the page. */
export function holdStill(canvas, rects) {
  const surface = canvas.parentElement;
  while (surface.childElementCount <= rects.length) surface.append(make('div', 'hold'));
  [...surface.children].slice(1).forEach((element, index) => {
    const rect = rects[index];
    element.hidden = !rect;
    if (rect) ['left', 'top', 'width', 'height'].forEach((side, at) => { element.style[side] = `${rect[at]}px`; });
  });
}

/** In the canvas's own CSS pixels, also when the page is scaled by a CSS transform. */
function place(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return {
    x: ((event.clientX - box.left) * canvas.clientWidth) / box.width,
    y: ((event.clientY - box.top) * canvas.clientHeight) / box.height,
  };
}

function attachPointer(stage, canvas, on, focus, tapped) {
  const surface = canvas.parentElement;
  const move = (at, touch) => stage.send((engine, page) => engine._attn_page_pointer_move(page, at.x, at.y, touch ? 1 : 0));
  const button = (number, down) =>
    stage.send((engine, page) => engine._attn_page_pointer_button(page, number, down ? 1 : 0));
  const leave = () => stage.send((engine, page) => engine._attn_page_pointer_leave(page));
  // A finger that has come down and neither moved nor left: it may become a tap, a drag or a scroll of the page.
  let waiting = null;
  let byFinger = false; // the click that is to come

  on('pointerdown', (event) => {
    if (!event.isPrimary) return;
    focus.byPointer = true;
    canvas.focus({ preventScroll: true });
    focus.byPointer = false;
    const at = place(canvas, event);
    byFinger = event.pointerType === 'touch';
    if (byFinger) {
      waiting = at;
      return;
    }
    surface.setPointerCapture(event.pointerId);
    move(at, false);
    button(BUTTONS[event.button] ?? 0, true);
  });

  on('pointermove', (event) => {
    if (!event.isPrimary) return;
    const touch = event.pointerType === 'touch';
    const at = place(canvas, event);
    if (waiting) {
      if (Math.hypot(at.x - waiting.x, at.y - waiting.y) < TAP_SLOP) return;
      move(waiting, true);
      button(0, true);
      waiting = null;
    }
    move(at, touch);
  });

  on('pointerup', (event) => {
    if (!event.isPrimary) return;
    const touch = event.pointerType === 'touch';
    const at = place(canvas, event);
    if (waiting) {
      move(waiting, true);
      button(0, true);
      waiting = null;
    }
    move(at, touch);
    button(touch ? 0 : BUTTONS[event.button] ?? 0, false);
    if (touch) leave();
  });

  on('pointercancel', (event) => {
    if (!event.isPrimary) return;
    const pressed = !waiting;
    waiting = null;
    leave();
    if (pressed) button(0, false); // after the pointer is away, so that nothing is clicked
  });

  on('pointerleave', (event) => {
    if (event.pointerType !== 'touch' && !surface.hasPointerCapture(event.pointerId)) leave();
  });

  // Else a press on what holds the page still would take the focus away.
  on('mousedown', (event) => {
    if (event.target !== canvas) event.preventDefault();
  });

  on('click', () => {
    if (!byFinger) return;
    stage.drawNow((engine, page, now) => engine._attn_page_flush(page, now));
    tapped();
  });

  on('wheel', (event) => {
    if (!event.ctrlKey && canvas.getRootNode().activeElement !== canvas) return;
    const perNotch = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? WHEEL_PIXELS_PER_NOTCH : WHEEL_LINES_PER_NOTCH;
    const used = stage.drawNow((engine, page, now) => {
      engine._attn_page_modifiers(page, modifiersOf(event));
      return engine._attn_page_wheel(page, -event.deltaX / perNotch, -event.deltaY / perNotch, now);
    });
    if (used) event.preventDefault();
  }, { passive: false });
}

/** From which side the keyboard's focus came in; unknown counts as from before. */
function entryFrom(canvas, other) {
  if (!other) return FOCUS_ENTRY.forward;
  const root = canvas.getRootNode();
  const self = root.contains(other) || !root.host ? canvas : root.host;
  const after = self.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  return after ? FOCUS_ENTRY.backward : FOCUS_ENTRY.forward;
}

function attachKeys(stage, canvas, on, focus) {
  const release = (event, number) =>
    stage.send((engine, page) => {
      engine._attn_page_modifiers(page, modifiersOf(event));
      engine._attn_page_key(page, number, 0, 0, 0);
    });

  on('keydown', (event) => {
    const number = keyNumber(event);
    if (event.isComposing || number === 0) return;
    const used = stage.drawNow((engine, page, now) => {
      engine._attn_page_modifiers(page, modifiersOf(event));
      return engine._attn_page_key(page, number, 1, typedBy(event), now);
    });
    if (used) {
      event.preventDefault();
    } else if (event.key === 'Escape') {
      canvas.blur();
    }
  });

  on('keyup', (event) => {
    const number = keyNumber(event);
    if (number !== 0) release(event, number);
  });

  on('focus', (event) => {
    const entry = focus.byPointer ? FOCUS_ENTRY.none : entryFrom(canvas, event.relatedTarget);
    stage.send((engine, page) => engine._attn_page_focus(page, 1, entry));
  });

  on('blur', () => stage.send((engine, page) => engine._attn_page_focus(page, 0, FOCUS_ENTRY.none)));
}
