// Styles of the element's shadow root. Colours and sizes are the design's tokens.
import { MONO_FAMILY, UI_FAMILY } from './glyphs.js';

const LIGHT = `
  --page: #F6F5F1; --surface: #FFFFFF; --ink: #1B2026; --ink2: #4A525C; --ink3: #656D77; --line: #E0DED8;
  --line2: #B7B6B0; --ctl: #868883; --q: #6540C4; --k: #8A6700; --v: #00716A; --out: #3B4859; --mem: #2A5C9E;
  --eq: #17713A; --ne: #B0107A; --focus: #1662D2; --qS: #EFEBFA; --kS: #F7F0DC; --vS: #E0F2F0; --outS: #E9ECF0;
  --memS: #E5EEF8; color-scheme: light;`;
const DARK = `
  --page: #14171B; --surface: #1B1F24; --ink: #ECEEF0; --ink2: #B9C0C8; --ink3: #959EA8; --line: #2E343B;
  --line2: #5A636D; --ctl: #727C87; --q: #BE9CFF; --k: #E4C150; --v: #4FCFBE; --out: #C5D0DC; --mem: #7CCBF5;
  --eq: #63D68E; --ne: #F57DC2; --focus: #7FB5FF; --qS: #2B2642; --kS: #352E18; --vS: #17342F; --outS: #2A3038;
  --memS: #1F2D40; color-scheme: dark;`;
const LIGHTING = ['q', 'k', 'v', 'out', 'mem'];

export const STYLES = `
:host { display: block; position: relative; height: max(620px, var(--attn-minimum-height, 0px)); min-width: 280px; overflow: hidden; contain: content; }
:host([hidden]) { display: none; }
.root { ${LIGHT} position: absolute; inset: 0; background: var(--surface); color: var(--ink2);
  font: 15px/1.72 ${UI_FAMILY}; }
.root[data-theme=dark] { ${DARK} }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; touch-action: pan-y pinch-zoom; outline: none;
  visibility: hidden; }
.surface { position: absolute; inset: 0; }
.hold { position: absolute; touch-action: none; }
.hold[hidden] { display: none; }
.number { position: absolute; z-index: 2; display: flex; opacity: .999; }
.number[hidden], .number [hidden] { display: none; }
/* Safari zooms into a field whose text is smaller. */
.number input { box-sizing: border-box; height: 100%; padding: 0 6px; border: 2px solid var(--focus); border-radius: 8px;
  background: var(--surface); color: var(--ink); font: 16px/1 ${MONO_FAMILY}; text-align: center; outline: none; }
.number button { width: 40px; margin-right: 4px; border: 1px solid var(--ctl); border-radius: 8px; background: var(--surface);
  color: var(--ink); font: 18px/1 ${UI_FAMILY}; padding: 0; }
.root[aria-busy=true]::after { content: ''; position: absolute; z-index: 3; inset: 0 0 auto; height: 2px; background: var(--q);
  transform-origin: left; animation: busy 1.6s .3s ease-in-out infinite backwards; }
@keyframes busy { from { transform: scaleX(0); } 70%, to { transform: none; } }
.root[data-state=ready] canvas { visibility: visible; }
.root[data-state=ready] .fallback { display: none; }
.fallback { position: absolute; inset: 0; overflow: auto; padding: 24px; box-sizing: border-box; }
/* Usually ready before anybody could read it: it must not flash. */
.root[data-state=waiting] .fallback { visibility: hidden; animation: appear 0s .6s forwards; }
@keyframes appear { to { visibility: visible; } }
.problem { border: 1px solid var(--line); border-radius: 10px; background: var(--page); padding: 16px 18px;
  margin: 0 0 24px; max-width: 44em; }
.problem p { margin: 0; }
.problem p:first-child { color: var(--ink); font-weight: 600; }
.problem code { display: block; margin-top: 8px; font-size: 12px; color: var(--ink3); overflow-wrap: anywhere; }

.notice { position: absolute; z-index: 2; inset: 8px 12px auto; width: fit-content; margin: auto; box-sizing: border-box;
  padding: 8px 44px 8px 14px; border: 1px solid var(--line2); border-radius: 8px; background: var(--surface);
  color: var(--ink); font-size: 14px; line-height: 1.6; box-shadow: 0 4px 16px #0002; }
.notice span { color: var(--ink2); overflow-wrap: anywhere; }
.notice button { position: absolute; right: 0; top: 0; width: 44px; height: 100%; min-height: 40px; border: 0;
  background: none; color: var(--ink2); font: 18px/1 ${UI_FAMILY}; cursor: pointer; }
.notice button:hover { color: var(--ink); }
.notice button:focus-visible { outline: 2px solid var(--focus); outline-offset: -4px; border-radius: 8px; }
@media print { .notice, .card { display: none; } }

.hidden, .narration[data-layout=hidden], .narration:not([data-layout=panel], [data-open]) .full { position: absolute !important;
  width: 1px !important; height: 1px !important; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; border: 0; padding: 0; }
.root:not([data-state=ready]) .narration { display: none; }
/* Not quite opaque: under an opaque layer Chromium's compositor leaves out the wrong (vertically mirrored) part of a
   WebGL canvas. */
.narration { position: absolute; box-sizing: border-box; overflow: auto; outline: none;
  opacity: .999; left: var(--x); top: var(--y); width: var(--width); height: var(--height); }
.narration p { margin: 0 0 14px; }
.narration b { font-weight: 600; color: var(--ink); }
.narration code { font-family: ${MONO_FAMILY}; font-size: .92em; color: var(--ink); }
.narration .n { font: 12px/1 ${MONO_FAMILY}; color: var(--ink3); letter-spacing: .02em; white-space: nowrap; }
.narration .lit { background: var(--outS); box-shadow: 0 2px currentColor; border-radius: 2px 2px 0 0; }
${LIGHTING.map((role) => `.narration .${role} { color: var(--${role}); } .narration .${role}.lit { background: var(--${role}S); }`).join('\n')}
.narration .eq { color: var(--eq); } .narration .ne { color: var(--ne); }
/* Longhands: Safari knew no others for long. */
.term { cursor: pointer; text-decoration-line: underline; text-decoration-style: dotted; text-decoration-color: var(--ctl);
  text-decoration-thickness: 1px; text-underline-offset: 4px; border-radius: 2px; }
.term:hover, .term[aria-expanded=true] { text-decoration-color: currentColor; }
.term[aria-expanded=true] { text-decoration-style: solid; }
.term:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
/* Not quite opaque, as the narration. */
.card:not(.hidden) { position: absolute; z-index: 2; box-sizing: border-box; width: max-content; max-width: min(300px, 100% - 12px); padding: 10px 14px;
  border: 1px solid var(--line2); border-radius: 10px; background: var(--surface); box-shadow: 0 4px 16px #0002; opacity: .999;
  font-size: 14px; line-height: 1.6; outline: none; }
.card b { font-weight: 600; color: var(--ink); }
.card p { margin: 0; }

.answer { font-size: 13px; font-weight: 500; color: var(--ink3); white-space: nowrap; }
.answer::before { content: ''; display: inline-block; box-sizing: border-box; width: 11px; height: 11px; margin-right: 8px;
  border: 2px solid; border-radius: 50%; }
.answer.wrong { color: var(--ne); } .answer.right { color: var(--eq); }
.answer.wrong::before { border: 0; border-radius: 0; background: linear-gradient(45deg, #0000 43%, currentColor 43% 57%, #0000 57%),
  linear-gradient(-45deg, #0000 43%, currentColor 43% 57%, #0000 57%); }
.answer.right::before { width: 6px; margin: 0 10px 0 3px; border-width: 0 2px 2px 0; border-radius: 0; transform: translateY(-2px) rotate(45deg); }

.narration.veiled { background: none; border-color: #0000; opacity: .4; pointer-events: none; }
[data-layout=panel] { background: var(--page); border-left: 1px solid var(--line); padding: 32px 28px; }
[data-layout=panel] .brief, [data-layout=panel] .more { display: none; }
.full h2 { font-size: 18px; line-height: 1.4; font-weight: 600; color: var(--ink); margin: 6px 0 14px;
  text-wrap: balance; }
.part { display: inline-block; }
.formula { --fade: linear-gradient(90deg, #0000, #000 var(--before), #000 calc(100% - var(--after)), #0000); --before: 0px; --after: 0px;
  margin: 4px 0 14px; overflow-x: auto; color: var(--ink); font-size: 16px; -webkit-mask-image: var(--fade); mask-image: var(--fade); }
.formula.before { --before: 32px; } .formula.after { --after: 32px; }
.try { border-top: 1px solid var(--line); padding-top: 16px; margin-top: 20px; }
.try > span { display: block; font-size: 12px; color: var(--ink3); margin-bottom: 4px; }
.sentence { border-top: 1px solid var(--line); padding-top: 16px; margin-top: 20px; }
.sentence label { display: block; font-size: 12px; color: var(--ink3); margin-bottom: 4px; }
.sentence input { display: block; box-sizing: border-box; width: 100%; height: 36px; margin: 0; padding: 0 10px;
  border: 1px solid var(--ctl); border-radius: 8px; background: var(--surface); color: var(--ink); font: 15px/1.4 ${UI_FAMILY}; }
.sentence input::placeholder { color: var(--ink3); opacity: 1; }
.sentence input:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
.sentence input[aria-invalid] { border-color: var(--ne); }
.narration .hint, .narration .reason { margin: 6px 0 0; font-size: 12px; line-height: 1.6; color: var(--ink3); overflow-wrap: anywhere; }
.narration .reason { color: var(--ne); font-size: 13px; }
.narration .reason:empty { margin: 0; }
.suggestions { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 8px; }
.suggestions:empty { display: none; }
.suggestions button { min-height: 32px; padding: 4px 12px; border: 1px solid var(--ctl); border-radius: 8px; background: var(--surface);
  color: var(--ink); font: 13px/1.4 ${UI_FAMILY}; text-align: left; overflow-wrap: anywhere; cursor: pointer; }
.suggestions button:hover { border-color: var(--ink); }
.suggestions button:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
/* Safari zooms into a field whose text is smaller. */
@media (any-pointer: coarse) { .sentence input { height: 44px; font-size: 16px; } .suggestions button { min-height: 44px; } }
[data-layout=brief] .sentence input { height: 44px; font-size: 16px; }
.values { border-top: 1px solid var(--line); padding-top: 12px; margin-top: 20px; font-size: 13px; }
.values summary { cursor: pointer; color: var(--ink2); border-radius: 4px; }
.values summary:focus-visible { outline: 2px solid var(--focus); outline-offset: 4px; }
.values .scroll { overflow-x: auto; margin-top: 8px; }
.values caption { text-align: left; font: 12px/1.6 ${UI_FAMILY}; color: var(--ink3); padding-bottom: 4px;
  white-space: normal; max-width: min(44em, calc(var(--width) - 56px)); }
.values table { border-collapse: collapse; font: 11px/1.6 ${MONO_FAMILY}; font-variant-numeric: tabular-nums; }
.values th { font-weight: 400; color: var(--ink3); padding: 2px 8px; text-align: right; white-space: nowrap; }
.values td { color: var(--ink); padding: 2px 8px; text-align: right; white-space: nowrap; border-radius: 4px; }
.values tbody td { cursor: pointer; }
.values tbody td:hover { box-shadow: inset 0 0 0 1.5px var(--ink3); }
.values td[aria-selected=true] { box-shadow: inset 0 0 0 2px var(--ink); font-weight: 600; }
.values td:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }

.narration:not([data-layout=panel]) .brief { margin: 0; padding-right: 28px; }
.more { position: absolute; right: 4px; top: 8px; width: 44px; height: 44px; border: 0; border-radius: 8px; padding: 0;
  background: none; color: var(--ink2); cursor: pointer; }
.more::before { content: ''; display: block; width: 8px; height: 8px; margin: auto; border: solid currentColor;
  border-width: 2px 2px 0 0; transform: translateY(2px) rotate(-45deg); }
.more:hover { color: var(--ink); }
.more:focus-visible { outline: 2px solid var(--focus); outline-offset: -4px; }
[data-layout=strip] { background: var(--page); border-top: 1px solid var(--line); padding: 0 24px; display: flex;
  align-items: center; font-size: 14px; line-height: 1.6; }
[data-layout=strip] .brief { display: flex; align-items: center; gap: 20px; }
[data-layout=brief] { padding: 12px 16px 0; font-size: 15px; line-height: 1.6; }
[data-layout=brief] .brief { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
[data-layout=brief] .n { display: none; }
.brief .answer { margin-right: 10px; }
[data-layout=strip] .brief .answer { margin: 0; }
[data-layout=brief] .more::before, [data-layout=strip][data-open] .more::before {
  transform: translateY(-2px) rotate(135deg); }
[data-layout=brief][data-open] .more::before { transform: translateY(2px) rotate(-45deg); }
/* Opened: over the stage, from its own edge, as tall as the text up to the free part of the element. */
[data-open] { display: block; height: auto; min-height: var(--height); padding: 20px 24px; background: var(--page);
  box-shadow: 0 8px 32px #0003; z-index: 1; }
[data-open] .brief { display: none !important; }
[data-layout=strip][data-open] { top: auto; bottom: var(--below); max-height: calc(100% - var(--below)); }
[data-layout=brief][data-open] { max-height: calc(100% - var(--y)); border-bottom: 1px solid var(--line); }
[data-open] .full { max-width: 44em; padding-right: 36px; }
[data-open] .values caption { max-width: min(41em, calc(var(--width) - 84px)); }
[data-layout=brief][data-open] .n { display: inline; }

@media print {
  :host { height: auto; min-height: 620px; overflow: visible; contain: none; }
  .narration { height: auto; overflow: visible; }
}
`;
