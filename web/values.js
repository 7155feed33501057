// The focused tensor as a table of the page: one stop of the Tab key, arrows move from cell to cell. The cell chosen here
// is the one chosen on the canvas.
import { make } from './make.js';

/** Writes what differs, so that focus, selection and scroll stay where they are. */
function fill(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function header(scope) {
  const cell = make('th');
  cell.scope = scope;
  return cell;
}

function valueCell() {
  const cell = make('td');
  cell.setAttribute('role', 'gridcell');
  cell.setAttribute('aria-selected', 'false');
  cell.tabIndex = -1;
  return cell;
}

export class ValueTable {
  /** `choose(row, column)`: the reader moved to a cell or clicked on it. */
  constructor(choose) {
    this.#choose = choose;
    this.#summary = make('summary');
    this.#caption = make('caption');
    this.#head = make('thead');
    this.#body = make('tbody');
    const table = make('table', '', [this.#caption, this.#head, this.#body]);
    table.setAttribute('role', 'grid');
    this.element = make('details', 'values', [this.#summary, make('div', 'scroll', [table])]);
    this.#body.addEventListener('click', ({ target }) => this.#moveTo(target.closest('td')));
    this.#body.addEventListener('keydown', (event) => this.#key(event));
  }

  #choose;
  #summary;
  #caption;
  #head;
  #body;
  #stop = null; // the cell that the Tab key reaches

  write({ table: { caption, columns, rows }, focus }, name) {
    this.element.hidden = rows.length === 0;
    fill(this.#summary, name);
    fill(this.#caption, caption);
    this.#shape(rows.length, columns.length);
    columns.forEach((text, column) => fill(this.#head.rows[0].cells[column + 1], text));
    rows.forEach(({ head, cells }, row) => [head, ...cells].forEach((text, at) => fill(this.#body.rows[row].cells[at], text)));
    this.#select(this.#cell(focus.row, focus.column));
  }

  #cell(row, column) {
    return (row >= 0 && column >= 0 && this.#body.rows[row]?.cells[column + 1]) || null;
  }

  /** As many cells as the tensor has; the focus stays at its place, or goes to the nearest there is. */
  #shape(rows, columns) {
    const count = this.#body.rows;
    if (count.length === rows && count[0]?.cells.length === columns + 1) return;
    const active = this.element.getRootNode().activeElement;
    const focused = this.#body.contains(active) && this.#place(active);
    const cells = (cell) => Array.from({ length: columns }, cell);
    this.#head.replaceChildren(make('tr', '', [make('td'), ...cells(() => header('col'))]));
    this.#body.replaceChildren(...Array.from({ length: rows }, () => make('tr', '', [header('row'), ...cells(valueCell)])));
    this.#stop = null;
    if (focused) this.#cell(Math.min(focused.row, rows - 1), Math.min(focused.column, columns - 1))?.focus({ preventScroll: true });
  }

  #place(cell) {
    return { row: cell.parentElement.sectionRowIndex, column: cell.cellIndex - 1 };
  }

  #select(cell) {
    const before = this.#body.querySelector('[aria-selected=true]');
    if (before !== cell) {
      before?.setAttribute('aria-selected', 'false');
      cell?.setAttribute('aria-selected', 'true');
    }
    const stop = cell ?? this.#stop ?? this.#cell(0, 0);
    if (stop === this.#stop) return;
    if (this.#stop) this.#stop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    this.#stop = stop;
  }

  #key(event) {
    const cell = event.target.closest('td');
    if (!cell || event.altKey || event.metaKey || event.shiftKey) return;
    const { row, column } = this.#place(cell);
    const last = { row: this.#body.rows.length - 1, column: this.#body.rows[0].cells.length - 2 };
    const { ctrlKey } = event;
    const to = {
      ArrowLeft: [row, Math.max(column - 1, 0)], ArrowRight: [row, Math.min(column + 1, last.column)],
      ArrowUp: [Math.max(row - 1, 0), column], ArrowDown: [Math.min(row + 1, last.row), column],
      Home: [ctrlKey ? 0 : row, 0], End: [ctrlKey ? last.row : row, last.column], Enter: [row, column], ' ': [row, column],
    }[event.key];
    if (!to || (ctrlKey && !['Home', 'End'].includes(event.key))) return;
    event.preventDefault();
    this.#moveTo(this.#cell(...to));
  }

  #moveTo(cell) {
    if (!cell) return;
    cell.focus();
    const { row, column } = this.#place(cell);
    this.#choose(row, column);
  }
}
