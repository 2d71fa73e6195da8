const MAX_WIDTH = 120;
const GAP = '  ';
/** A cell of a column of numbers; an empty one has none. */
const NUMBER = /^(?:-?[\d,]+)?$/;
/** Where a cell may continue on the next line: after a space or a comma. */
const BREAK = /(?<=[ ,])/;

interface Column {
  readonly heading: string;
  readonly isNumeric: boolean;
  /** The longest piece that is never split, such as an id. */
  readonly minWidth: number;
  width: number;
}

/** Plain text of at most 120 columns: numbers are aligned to the right, long cells continue on the next line. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.map((heading, i) =>
    columnOf(
      heading,
      rows.map((row) => row[i] ?? ''),
    ),
  );
  shrink(columns);
  return [headings, ...rows].flatMap((cells) => linesOf(cells, columns)).join('\n');
}

function columnOf(heading: string, cells: readonly string[]): Column {
  const longest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const pieces = cells.flatMap((cell) => cell.split(BREAK).map((piece) => piece.trimEnd()));
  return {
    heading,
    isNumeric: cells.length > 0 && cells.every((cell) => NUMBER.test(cell)),
    minWidth: longest([heading, ...pieces]),
    width: longest([heading, ...cells]),
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
        return isNumeric ? text.padStart(width) : text.padEnd(width);
      })
      .join(GAP)
      .trimEnd(),
  );
}

function wrap(cell: string, width: number): string[] {
  const lines = [''];
  for (const piece of cell.split(BREAK)) {
    const line = (lines.at(-1) as string) + piece;
    if (line.trimEnd().length <= width) lines[lines.length - 1] = line;
    else lines.push(piece);
  }
  return lines.map((line) => line.trimEnd());
}
