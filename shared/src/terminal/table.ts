import { stripVTControlCharacters } from 'node:util';
import { heading } from './colour.ts';

const MAX_WIDTH = 120;
const GAP = '  ';
/** A cell of a column of numbers; an empty one has none. */
const NUMBER = /^(?:-?[\d,]+)?$/;
/** Where a cell may continue on the next line: after a space or a comma. */
const BREAK = /(?<=[ ,])/;

interface Column {
  readonly isNumeric: boolean;
  /** The longest piece that is never split, such as an id. */
  readonly minWidth: number;
  width: number;
}

/**
 * Text of at most 120 columns: numbers are aligned to the right, long cells continue on the next line. Cells may have
 * colours; a coloured text is one word.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.map((name, i) =>
    columnOf(
      name,
      rows.map((row) => row[i] ?? ''),
    ),
  );
  shrink(columns);
  const shownHeadings = headings.map((name) => heading(name));
  return [shownHeadings, ...rows].flatMap((cells) => linesOf(cells, columns)).join('\n');
}

function columnOf(name: string, cells: readonly string[]): Column {
  const longest = (texts: readonly string[]) => Math.max(...texts.map(widthOf));
  const pieces = cells.flatMap((cell) => cell.split(BREAK).map((piece) => piece.trimEnd()));
  return {
    isNumeric: cells.length > 0 && cells.every((cell) => NUMBER.test(stripVTControlCharacters(cell))),
    minWidth: longest([name, ...pieces]),
    width: longest([name, ...cells]),
  };
}

/** Narrows the columns that have the most room, until the lines fit or no column can be narrower. */
function shrink(columns: readonly Column[]): void {
  const slack = ({ width, minWidth }: Column) => width - minWidth;
  const total = () => columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));
  while (total() > MAX_WIDTH) {
    const widest = columns.reduce((one, other) => (slack(other) > slack(one) ? other : one));
    if (slack(widest) === 0) return;
    widest.width -= 1;
  }
}

function linesOf(cells: readonly string[], columns: readonly Column[]): string[] {
  const wrapped = columns.map(({ width }, i) => wrap(cells[i] ?? '', width));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map(({ width, isNumeric }, i) => {
        const text = wrapped[i]?.[line] ?? '';
        const padding = ' '.repeat(Math.max(0, width - widthOf(text)));
        return isNumeric ? padding + text : text + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** The columns of a text on a terminal. */
function widthOf(text: string): number {
  return stripVTControlCharacters(text).length;
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
