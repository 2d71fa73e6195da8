import { type CsvRecord, CsvRecords, isBlank, SEPARATORS, type Separator } from './csv-records.ts';
import { MAX_ROW_CHARACTERS } from './faults.ts';
import { bestHeading, type ColumnMap, knownColumns, MAX_ROWS_ABOVE, NO_COLUMNS } from './headings.ts';

/** Excel's line that names the separator. A program that adds separators to each line adds them here too. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[,;\t|]*$/i;

interface CsvHead {
  readonly separator: Separator;
  /** The text without a line `sep=`, whose place is a blank line, so that every row keeps its line. */
  readonly text: string;
}

/** Splits a CSV file into its records, after it has found the separator. */
export class CsvTable {
  /** The beginning of the file, until it has the lines of which one is the heading, and the line on which it begins. */
  #head = '';
  #headLine = 1;
  #records: CsvRecords | undefined;
  #separator: Separator = ',';
  readonly #map: ColumnMap;

  /** @param map Columns that are known besides those with known headings. */
  constructor(map: ColumnMap = NO_COLUMNS) {
    this.#map = map;
  }

  /** The separator of the file, after its first lines were read. */
  get separator(): Separator {
    return this.#separator;
  }

  /** Reads a piece, and calls back for each record that ends in it. @throws UnreadableCsv */
  read(piece: string, isLast: boolean, onRecord: (record: CsvRecord) => void): void {
    let text = piece;
    if (this.#records === undefined) {
      this.#addToHead(piece);
      if (!isLast && !isHeadWhole(this.#head)) return;
      const head = readHead(this.#head, isLast, this.#map);
      this.#separator = head.separator;
      this.#records = new CsvRecords(head.separator, this.#headLine);
      text = head.text;
      this.#head = '';
    }
    this.#records.read(text, isLast, onRecord);
  }

  /** Leaves out the blank lines at the beginning, of which a file may have any number. */
  #addToHead(piece: string): void {
    const text = this.#head + piece;
    const first = text.search(/\S/);
    const start = text.lastIndexOf('\n', first === -1 ? text.length : first) + 1;
    this.#headLine += text.slice(0, start).split('\n').length - 1;
    this.#head = text.slice(start);
  }
}

function isHeadWhole(text: string): boolean {
  if (text.length > MAX_ROW_CHARACTERS) return true;
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines > MAX_ROWS_ABOVE;
}

/**
 * Finds the separator of a file: the one of a line `sep=`, or the one that makes the most known headings.
 * @param text The beginning, from the first line that is not blank.
 */
function readHead(text: string, isWhole: boolean, map: ColumnMap): CsvHead {
  const feed = text.indexOf('\n');
  const end = feed === -1 ? text.length : feed;
  const named = SEPARATOR_LINE.exec(text.slice(0, end))?.[1] as Separator | undefined;
  return named
    ? { separator: named, text: text.slice(end) }
    : { separator: bestSeparator(text, isWhole, map).separator, text };
}

/** Whether a text begins with headings of a file of pets, or a line `sep=`. */
export function hasKnownHeading(text: string, map: ColumnMap = NO_COLUMNS): boolean {
  const [line = ''] = text.split('\n', 1);
  return SEPARATOR_LINE.test(line) || bestSeparator(text, true, map).known > 1;
}

interface Score {
  readonly separator: Separator;
  /** Columns with a known heading, and all. */
  readonly known: number;
  readonly columns: number;
}

function bestSeparator(text: string, isWhole: boolean, map: ColumnMap): Score {
  const scores = SEPARATORS.map((separator): Score => {
    const rows = firstRows(text, separator, isWhole);
    const heading = rows[bestHeading(rows, map)] ?? [];
    return { separator, known: knownColumns(heading, map), columns: heading.length };
  });
  return scores.reduce((best, next) =>
    next.known > best.known || (next.known === best.known && next.columns > best.columns) ? next : best,
  );
}

/** The first rows with a separator, up to the one whose quotes it does not fit. */
function firstRows(text: string, separator: Separator, isWhole: boolean): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  try {
    new CsvRecords(separator).read(text, isWhole, (record) => {
      if (rows.length <= MAX_ROWS_ABOVE && !isBlank(record)) rows.push(record.fields);
    });
  } catch {
    // The reader reports it, with the best separator.
  }
  return rows;
}
