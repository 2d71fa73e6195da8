import { type ImportProblem, importProblem } from '../import-problems.ts';
import { readXml } from './xml.ts';
import { DamagedArchive, unpacked, type ZipEntry, zipEntries } from './zip.ts';

/** The largest workbook as it is sent: it is in memory. */
export const MAX_WORKBOOK_BYTES = 64_000_000;
/** What one of its files may have unpacked. Rows are read one by one. */
export const MAX_SHEET_BYTES = 500_000_000;
/** What is in memory: texts, formats, names of sheets. */
const MAX_PART_BYTES = 100_000_000;
const MAX_TEXTS = 2_000_000;
const MAX_FORMATS = 65_536;
const MAX_SHEETS = 1_000;

/** Refuses a whole workbook. */
export class RefusedWorkbook extends Error {
  override name = 'RefusedWorkbook';
  readonly problem: ImportProblem;

  constructor(problem: ImportProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

export interface Sheet {
  readonly name: string;
  readonly path: string;
}

/** What the cells of a sheet refer to. */
export interface Book {
  /** The visible sheets. */
  readonly sheets: readonly Sheet[];
  readonly texts: readonly string[];
  /** Whether the numbers of a format are dates, by the number of the format. */
  readonly dates: readonly boolean[];
  /** Days before the first day of 1900 that day 0 is. */
  readonly is1904: boolean;
  /** Unpacks a sheet. */
  readonly read: (sheet: Sheet) => Iterable<Uint8Array>;
}

interface Relation {
  readonly type: string;
  readonly path: string;
}

/** Opens an .xlsx workbook in steps, because its texts take seconds. @throws RefusedWorkbook, DamagedArchive */
export function* openWorkbook(archive: Uint8Array): Generator<undefined, Book> {
  const entries = zipEntries(archive);
  const parts = new Parts(archive, entries);
  const main = [...(yield* parts.relations('')).values()].find(({ type }) => type === 'officeDocument');
  if (main === undefined || !entries.has(main.path)) throw new RefusedWorkbook(importProblem('no_workbook'));
  if (entries.has('xl/vbaProject.bin')) throw new RefusedWorkbook(importProblem('workbook_macros'));
  const relations = yield* parts.relations(main.path);
  const pathOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.path;
  const { ids, is1904 } = yield* readSheets(parts, main.path);
  return {
    sheets: ids.flatMap(({ name, id }) => {
      const relation = relations.get(id);
      return relation?.type === 'worksheet' ? [{ name, path: relation.path }] : [];
    }),
    is1904,
    texts: yield* readTexts(parts, pathOf('sharedStrings')),
    dates: yield* readDates(parts, pathOf('styles')),
    read: ({ path }) => parts.unpack(path, MAX_SHEET_BYTES),
  };
}

/**
 * The same book, whose sheets together are unpacked so far at most: each of a thousand sheets can have the same packed bytes.
 * @throws RefusedWorkbook while a sheet is read
 */
export function readSoFar(book: Book, maximum: number): Book {
  let bytes = 0;
  const read = function* (sheet: Sheet) {
    for (const some of book.read(sheet)) {
      bytes += some.length;
      if (bytes > maximum) throw new RefusedWorkbook(importProblem('workbook_too_large', { bytes, maximum }));
      yield some;
    }
  };
  return { ...book, read };
}

/** The files of a workbook. */
class Parts {
  readonly #archive: Uint8Array;
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  constructor(archive: Uint8Array, entries: ReadonlyMap<string, ZipEntry>) {
    this.#archive = archive;
    this.#entries = entries;
  }

  unpack(path: string, maximum = MAX_PART_BYTES): Iterable<Uint8Array> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new DamagedArchive(`no ${path}`);
    if (entry.byteCount > maximum) {
      throw new RefusedWorkbook(importProblem('workbook_too_large', { bytes: entry.byteCount, maximum }));
    }
    return unpacked(this.#archive, entry);
  }

  /** What a file refers to, by the id; none if nothing is said. @param path The file, or nothing for the archive */
  *relations(path: string): Generator<undefined, ReadonlyMap<string, Relation>> {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const own = `${folder}_rels/${path.slice(folder.length)}.rels`;
    const relations = new Map<string, Relation>();
    if (!this.#entries.has(own)) return relations;
    const open = (name: string, attribute: (name: string) => string | undefined) => {
      if (name !== 'Relationship') return;
      const type = attribute('Type')?.split('/').at(-1) ?? '';
      const target = attribute('Target') ?? '';
      relations.set(attribute('Id') ?? '', {
        type,
        path: target.startsWith('/') ? target.slice(1) : folder + target,
      });
    };
    yield* stepsOf(readXml(this.unpack(own), { open }));
    return relations;
  }
}

function* readSheets(parts: Parts, path: string) {
  const ids: { readonly name: string; readonly id: string }[] = [];
  let is1904 = false;
  const open = (element: string, attribute: (name: string) => string | undefined) => {
    if (element === 'workbookPr') is1904 = attribute('date1904') === '1' || attribute('date1904') === 'true';
    if (element !== 'sheet' || (attribute('state') ?? 'visible') !== 'visible') return;
    if (ids.push({ name: attribute('name') ?? '', id: attribute('id') ?? '' }) > MAX_SHEETS)
      throw new DamagedArchive('too many sheets');
  };
  yield* stepsOf(readXml(parts.unpack(path), { open }));
  return { ids, is1904 };
}

/** The texts that cells refer to by their number. */
function* readTexts(parts: Parts, path: string | undefined): Generator<undefined, readonly string[]> {
  const texts: string[] = [];
  if (path === undefined) return texts;
  let text = '';
  let [isText, phonetics] = [false, 0];
  const open = (name: string) => {
    if (name === 'si') text = '';
    // How a text is pronounced is no part of it.
    if (name === 'rPh') phonetics += 1;
    isText = name === 't' && phonetics === 0;
  };
  const close = (name: string) => {
    if (name === 'rPh') phonetics -= 1;
    if (name === 't') isText = false;
    if (name === 'si' && texts.push(text) > MAX_TEXTS) throw new DamagedArchive('too many texts');
  };
  yield* stepsOf(
    readXml(parts.unpack(path), {
      open,
      close,
      text: (more) => {
        if (isText) text += more;
      },
    }),
  );
  return texts;
}

const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
/** Parts of a format that are no codes: texts, escaped characters, and conditions or colours. */
const NO_CODES = /"[^"]*"|\\.|_.|\[[^[\]]*\]/g;
const ELAPSED = /\[(?:h+|m+|s+)\]/i;

function* readDates(parts: Parts, path: string | undefined): Generator<undefined, readonly boolean[]> {
  const dates: boolean[] = [];
  if (path === undefined) return dates;
  const own = new Map<string, boolean>();
  let isCells = false;
  const open = (name: string, attribute: (name: string) => string | undefined) => {
    if (name === 'numFmt') {
      const code = (attribute('formatCode') ?? '').slice(0, 255);
      own.set(attribute('numFmtId') ?? '', ELAPSED.test(code) || /[dmyhs]/i.test(code.replace(NO_CODES, '')));
    }
    if (name === 'cellXfs') isCells = true;
    if (name !== 'xf' || !isCells) return;
    const id = attribute('numFmtId') ?? '0';
    const number = Number(id);
    const isBuiltIn = BUILT_IN_DATES.some(([first, last]) => number >= first && number <= last);
    if (dates.push(own.get(id) ?? isBuiltIn) > MAX_FORMATS) throw new DamagedArchive('too many formats');
  };
  const close = (name: string) => {
    if (name === 'cellXfs') isCells = false;
  };
  yield* stepsOf(readXml(parts.unpack(path), { open, close }));
  return dates;
}

function* stepsOf(steps: Iterable<void>): Generator<undefined> {
  for (const _ of steps) yield;
}
