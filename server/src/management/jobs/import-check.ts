import { createHash } from 'node:crypto';
import { type Faults, UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import { PetFile } from '@petstore-inventory/shared/pet-file/pet-file';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import { RestFile } from '@petstore-inventory/shared/pet-file/rest-file';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import type { Decimal } from '@petstore-inventory/shared/words';
import type {
  CheckResult,
  ImportTask,
  PlacedFileRow,
  PlacedRow,
  RefusedRow,
} from '../../domain/import-jobs.ts';
import { MAX_IMPORT_FAULTS, MAX_IMPORT_ROWS } from '../../domain/management/imports.ts';
import type { CodeFacts } from '../../domain/management/pet-codes.ts';
import { RowMatcher } from '../../domain/management/row-matcher.ts';

/** Rows of one transaction. */
const ROWS_PER_BATCH = 2_000;
/** Characters of rows with faults, in one transaction. */
const BAD_ROWS_CHARACTERS = 500_000;

/** Reads the file of an import, and collects its rows in batches, and its faults. */
export class ImportCheck {
  readBytes = 0;
  readonly #hash = createHash('sha256');
  readonly #file: PetFile;
  readonly #rows: PetRows;
  readonly #rowsPerBatch: number;
  readonly #rest: RestFile;
  #badRows = '';
  readonly #matcher: RowMatcher;
  #waiting: PlacedFileRow[] = [];
  #unreadable: UnreadableFile | undefined;

  /** @param rowsPerBatch Another number for tests. */
  constructor(
    {
      format,
      mode,
      reading,
      newAfter,
    }: Pick<ImportTask, 'format' | 'mode'> & {
      readonly reading?: Reading;
      /** As `retryAfter` of an earlier check. */
      readonly newAfter?: bigint | undefined;
    },
    maxQuantity: number,
    rowsPerBatch = ROWS_PER_BATCH,
  ) {
    this.#rowsPerBatch = rowsPerBatch;
    this.#matcher = new RowMatcher(newAfter);
    this.#rest = new RestFile(format);
    this.#rows = new PetRows({
      maxFaults: MAX_IMPORT_FAULTS,
      maxQuantity,
      maxRows: MAX_IMPORT_ROWS,
      mode,
      decimal: reading?.decimal,
      ignored: reading?.ignored,
      columns: reading?.columns,
      mapping: reading?.mapping,
      onWrong: (content, problem) => {
        this.#badRows += this.#rest.row(content, problem, this.#rows);
      },
      onRow: (row, { line, element }, content) => {
        this.#waiting.push({ row, line, element, content });
      },
    });
    this.#file = new PetFile(format, this.#rows, reading);
  }

  /** Whether the rest of the file cannot be read. */
  get isStopped(): boolean {
    return this.#unreadable !== undefined;
  }

  /** What the file proves about its numbers with two readings, so that it must be read again. */
  get decimalOfFile(): Decimal | undefined {
    return this.#rows.decimalOfFile;
  }

  /** Where the file must be read again, because new pets got petIds that later rows name: the greatest of these. */
  get retryAfter(): bigint | undefined {
    return this.#matcher.retryAfter;
  }

  /** Reads bytes. */
  read(bytes: Uint8Array): void {
    this.readBytes += bytes.length;
    this.#hash.update(bytes);
    this.#try(() => this.#file.read(bytes));
  }

  /** Reads the rest in steps. */
  *finish(): Generator<void> {
    const steps = this.#file.finish();
    for (let isDone = false; !isDone && !this.isStopped;) {
      this.#try(() => {
        isDone = steps.next().done ?? false;
      });
      yield;
    }
  }

  /** Takes the next batch of the rows. @param isLast Whether a small batch is taken too. */
  take(isLast: boolean): readonly PlacedFileRow[] {
    if (this.#waiting.length < this.#rowsPerBatch && !isLast) return [];
    return this.#waiting.splice(0, this.#rowsPerBatch);
  }

  /** The rows with their pets. Those that have none are faults. */
  match(rows: readonly PlacedFileRow[], facts: CodeFacts): readonly PlacedRow[] {
    return rows.flatMap((placed) => {
      const found = this.#matcher.match(placed.row, placed.line, facts);
      if (!('problem' in found)) return { ...placed, row: found };
      this.#rows.lateFault(found.field, found.problem, placed, placed.content);
      return [];
    });
  }

  /** Takes the text of rows with faults. @param isLast Whether the end of their file is taken too, or a short text */
  takeBadRows(isLast: boolean): string {
    if (this.#badRows.length < BAD_ROWS_CHARACTERS && !isLast) return '';
    const text = this.#badRows;
    this.#badRows = '';
    return text;
  }

  /** Ends the file of the rows with faults. */
  endBadRows(): string {
    return this.takeBadRows(true) + this.#rest.end();
  }

  noteRefused({ row, line, element, content, earlierLine, found }: RefusedRow): void {
    if (earlierLine === null) this.#rows.wrongSum(row, { line, element }, found, content);
    else this.#rows.repeated(row.petId, { line, element }, earlierLine, content);
  }

  /** Returns what the check found; called once, because it ends the hash. Of a file that cannot be read to its end, no row can be applied. */
  finished(): CheckResult {
    const badRowCount = this.isStopped ? 0 : this.#rows.wrongRowCount;
    const fileHash = this.isStopped ? undefined : this.#hash.digest();
    return { ...this.faults, badRowCount, fileHash, facts: this.#file.facts };
  }

  /** What is wrong with the file, in the order of its lines. What ends the file is never left out. */
  get faults(): Faults {
    const { faults, faultCount } = this.#rows;
    if (this.#unreadable === undefined) return { faults: faults.toSorted(byLine), faultCount };
    const kept = faults.toSorted(byLine).slice(0, MAX_IMPORT_FAULTS - 1);
    return { faults: [...kept, this.#unreadable.fault], faultCount: faultCount + 1 };
  }

  #try(read: () => void): void {
    if (this.isStopped) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      this.#unreadable = error;
    }
  }
}

function byLine(a: { readonly line: number | null }, b: { readonly line: number | null }): number {
  return (a.line ?? 0) - (b.line ?? 0);
}
