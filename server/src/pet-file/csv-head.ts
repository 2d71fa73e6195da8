import { CsvRecords, SEPARATORS, type Separator } from './csv-records.ts';
import { fieldOf } from './headings.ts';

/** Excel's line that names the separator. A program that adds separators to each line adds them here too. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[,;\t|]*$/i;

export interface CsvHead {
  readonly separator: Separator;
  /** The text without a line `sep=`, whose place is a blank line, so that every row keeps its line. */
  readonly text: string;
}

/**
 * Finds the separator of a file: the one of a line `sep=`, or the one that makes the most known headings.
 * @param text The beginning, from the first line that is not blank.
 */
export function readHead(text: string): CsvHead {
  const feed = text.indexOf('\n');
  const end = feed === -1 ? text.length : feed;
  const line = text.slice(0, end);
  const named = SEPARATOR_LINE.exec(line)?.[1] as Separator | undefined;
  return named ? { separator: named, text: text.slice(end) } : { separator: bestSeparator(line), text };
}

/** Whether a text begins with a heading of a file of pets, or a line `sep=`. */
export function hasKnownHeading(text: string): boolean {
  const [line = ''] = text.split('\n', 1);
  return SEPARATOR_LINE.test(line) || scoreOf(line, bestSeparator(line)).known > 1;
}

function bestSeparator(line: string): Separator {
  const scores = SEPARATORS.map((separator) => ({ separator, ...scoreOf(line, separator) }));
  const [best] = scores.toSorted((a, b) => b.known - a.known || b.columns - a.columns);
  return best?.separator ?? ',';
}

/** How many columns a heading has with a separator, and how many of them have a known name. */
function scoreOf(line: string, separator: Separator): { known: number; columns: number } {
  const headings = headingsOf(line, separator);
  return { known: headings.filter((heading) => fieldOf(heading)).length, columns: headings.length };
}

/** The fields of a line; none where the separator does not fit its quotes. */
function headingsOf(line: string, separator: Separator): readonly string[] {
  let headings: readonly string[] = [];
  try {
    new CsvRecords(separator).read(line, true, ({ fields }) => {
      headings = fields;
    });
  } catch {
    return [];
  }
  return headings;
}
