import { stripVTControlCharacters } from 'node:util';
import widthOf from 'fast-string-width';
import type { Paint } from './paint.ts';

const GAP = '  ';
/** A cell of a column of numbers; an empty one has none. */
const NUMBER = /^(?:[-+]?[\d,]+)?$/;
/** Where a cell may continue on the next line: after a space or a comma. */
const BREAK = /(?<=[ ,])/;

type Rows = readonly (readonly string[])[];

interface Column {
  readonly isNumeric: boolean;
  width: number;
}

interface TableOptions {
  /** Long cells continue on the next line, so that no line is longer where that is possible. */
  readonly maxWidth?: number;
}

/**
 * The lines of a table: numbers are aligned to the right. Cells are safe text and may have colours; a coloured text is one
 * word. A million rows take one second; cli-table3 takes four minutes.
 */
export function* tableLines(
  headings: readonly string[],
  rows: Rows,
  paint: Paint,
  { maxWidth = Number.POSITIVE_INFINITY }: TableOptions = {},
): Generator<string> {
  const columns = headings.map((name, i) => columnOf(name, rows, i));
  const total = columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));
  const excess = total - maxWidth;
  if (excess > 0) shrink(columns, excess, headings, rows);
  const linesOf = excess > 0 ? wrappedLines : oneLine;
  yield* linesOf(
    headings.map((name) => paint.style('bold', name)),
    columns,
  );
  for (const row of rows) yield* linesOf(row, columns);
}

export function table(headings: readonly string[], rows: Rows, paint: Paint, options?: TableOptions): string {
  return [...tableLines(headings, rows, paint, options)].join('\n');
}

/** Names and values, one pair per line. Pairs without a value are left out. */
export function facts(pairs: readonly (readonly [string, string])[]): string {
  const present = pairs.filter(([, value]) => value !== '');
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

function columnOf(name: string, rows: Rows, i: number): Column {
  let width = widthOf(name);
  let isNumeric = rows.length > 0;
  for (const row of rows) {
    const cell = row[i] ?? '';
    width = Math.max(width, widthOf(cell));
    isNumeric &&= NUMBER.test(stripVTControlCharacters(cell));
  }
  return { width, isNumeric };
}

/** Narrows the columns that have the most room, until the excess is gone or no column can be narrower. */
function shrink(columns: readonly Column[], excess: number, headings: readonly string[], rows: Rows): void {
  // The longest piece of a column is never split, such as an id, nor is a heading: its format would not end with the line.
  const slacks = columns.map(({ width }, i) => {
    let longest = widthOf(headings[i] ?? '');
    for (const row of rows) {
      for (const piece of (row[i] ?? '').split(BREAK)) longest = Math.max(longest, widthOf(piece.trimEnd()));
    }
    return width - longest;
  });
  for (let left = excess; left > 0; left -= 1) {
    const widest = slacks.indexOf(Math.max(...slacks));
    if (slacks[widest] === 0) return;
    (slacks[widest] as number) -= 1;
    (columns[widest] as Column).width -= 1;
  }
}

function oneLine(cells: readonly string[], columns: readonly Column[]): [string] {
  const padded = columns.map(({ width, isNumeric }, i) => {
    const cell = cells[i] ?? '';
    const padding = ' '.repeat(Math.max(0, width - widthOf(cell)));
    return isNumeric ? padding + cell : cell + padding;
  });
  return [padded.join(GAP).trimEnd()];
}

function wrappedLines(cells: readonly string[], columns: readonly Column[]): string[] {
  const wrapped = columns.map(({ width }, i) => wrap(cells[i] ?? '', width));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    oneLine(
      wrapped.map((lines) => lines[line] ?? ''),
      columns,
    ),
  ).flat();
}

function wrap(cell: string, width: number): string[] {
  const lines = [''];
  for (const piece of cell.split(BREAK)) {
    const line = (lines.at(-1) as string) + piece;
    if (widthOf(line.trimEnd()) <= width) lines[lines.length - 1] = line;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}
