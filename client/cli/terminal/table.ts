import { stripVTControlCharacters } from 'node:util';
import widthOf from 'fast-string-width';
import type { Paint } from './paint.ts';

const GAP = '  ';
/** A cell of a column of numbers; an empty one has none. */
const NUMBER = /^(?:[-+]?[\d,]+)?$/;

/**
 * The lines of a table: numbers are aligned to the right. Cells are safe text and may have colours. A million rows take
 * one second; cli-table3 takes four minutes.
 */
export function* tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): Generator<string> {
  const columns = headings.map((name, i) => {
    let width = widthOf(name);
    let isNumeric = rows.length > 0;
    for (const row of rows) {
      const cell = row[i] ?? '';
      width = Math.max(width, widthOf(cell));
      isNumeric &&= NUMBER.test(stripVTControlCharacters(cell));
    }
    return { width, isNumeric };
  });
  const line = (cells: readonly string[]) =>
    columns
      .map(({ width, isNumeric }, i) => {
        const cell = cells[i] ?? '';
        const padding = ' '.repeat(width - widthOf(cell));
        return isNumeric ? padding + cell : cell + padding;
      })
      .join(GAP)
      .trimEnd();
  yield line(headings.map((name) => paint.style('bold', name)));
  for (const row of rows) yield line(row);
}

export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  return [...tableLines(headings, rows, paint)].join('\n');
}

/** Names and values, one pair per line. Pairs without a value are left out. */
export function facts(pairs: readonly (readonly [string, string])[]): string {
  const present = pairs.filter(([, value]) => value !== '');
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
