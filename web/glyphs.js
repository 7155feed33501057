// Glyph pictures for the canvas, drawn with the reader's own system fonts: no font is downloaded.
// The other side is src/platform/web/glyphs.cpp.

const CJK = '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC"';
export const UI_FAMILY = `"IBM Plex Sans", system-ui, ${CJK}, sans-serif`;
export const MONO_FAMILY =
  `"IBM Plex Mono", ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", ${CJK}, monospace`;

const MARGIN = 1; // device pixels around the reported box: antialiasing reaches over it

/** Makes a rasteriser with its own canvas; one per playground. */
export function createGlyphs() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  // Kept in main memory: reading a GPU canvas back for each glyph is twenty times slower.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let font = '';

  const select = (weight, mono, emPx) => {
    const wanted = `${weight} ${emPx}px ${mono ? MONO_FAMILY : UI_FAMILY}`;
    if (wanted === font) return;
    font = wanted;
    context.font = wanted;
  };

  return {
    /** Returns [left, top, width, height, advance] in device pixels; top is relative to the baseline. */
    measure(weight, mono, codePoint, emPx) {
      select(weight, mono, emPx);
      const metrics = context.measureText(String.fromCodePoint(codePoint));
      const left = Math.floor(-metrics.actualBoundingBoxLeft) - MARGIN;
      const right = Math.ceil(metrics.actualBoundingBoxRight) + MARGIN;
      const top = Math.floor(-metrics.actualBoundingBoxAscent) - MARGIN;
      const bottom = Math.ceil(metrics.actualBoundingBoxDescent) + MARGIN;
      const blank = metrics.actualBoundingBoxRight <= -metrics.actualBoundingBoxLeft;
      return blank ? [0, 0, 0, 0, metrics.width] : [left, top, right - left, bottom - top, metrics.width];
    },

    /** Writes the coverage of that box, a byte a pixel, row by row. */
    draw(weight, mono, codePoint, emPx, left, top, width, height, coverage) {
      if (width > canvas.width || height > canvas.height) {
        canvas.width = Math.max(canvas.width, width);
        canvas.height = Math.max(canvas.height, height);
        font = ''; // resizing resets the context
      }
      select(weight, mono, emPx);
      context.clearRect(0, 0, width, height);
      context.fillText(String.fromCodePoint(codePoint), -left, -top);
      const rgba = context.getImageData(0, 0, width, height).data;
      for (let i = 0; i < coverage.length; i++) coverage[i] = rgba[4 * i + 3];
    },
  };
}
