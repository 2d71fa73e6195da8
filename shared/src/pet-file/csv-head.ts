import { type CsvRecord, CsvRecords, SEPARATORS, type Separator } from './csv-records.ts';
import { MAX_ROW_CHARACTERS } from './faults.ts';
import { fieldOf } from './headings.ts';

/** Excel's line that names the separator. A program that adds separators to each line adds them here too. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[,;\t|]*$/i;

interface CsvHead {
  readonly separator: Separator;
  /** The text without a line `sep=`, whose place is a blank line, so that every row keeps its line. */
  readonly text: string;
}

/** Splits a CSV file into its records, its header first, after it has found the separator. */
export class CsvTable {
  /** The beginning of the file, until it has the header's line, and the line on which it begins. */
  #head = '';
  #headLine = 1;
  #records: CsvRecords | undefined;
  #separator: Separator = ',';

  /** The separator of the file, after its header was read. */
  get separator(): Separator {
    return this.#separator;
  }

  /** Reads a piece, and calls back for each record that ends in it. @throws UnreadableCsv */
  read(piece: string, isLast: boolean, onRecord: (record: CsvRecord) => void): void {
    let text = piece;
    if (this.#records === undefined) {
      this.#addToHead(piece);
      if (!isLast && !this.#head.includes('\n') && this.#head.length <= MAX_ROW_CHARACTERS) return;
      const head = readHead(this.#head);
      this.#separator = head.separator;
      this.#records = new CsvRecords(head.separator, this.#headLine);
      text = head.text;
      this.#head = '';
    }
    this.#records.read(text, isLast, onRecord);
  }

  /** Leaves out the blank lines before the header, of which a file may have any number. */
  #addToHead(piece: string): void {
    const text = this.#head + piece;
    const first = text.search(/\S/);
    const start = text.lastIndexOf('\n', first === -1 ? text.length : first) + 1;
    this.#headLine += text.slice(0, start).split('\n').length - 1;
    this.#head = text.slice(start);
  }
}

/**
 * Finds the separator of a file: the one of a line `sep=`, or the one that makes the most known headings.
 * @param text The beginning, from the first line that is not blank.
 */
function readHead(text: string): CsvHead {
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
