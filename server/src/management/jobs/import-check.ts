import { type Faults, UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import { PetFile } from '@petstore-inventory/shared/pet-file/pet-file';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import type { Decimal } from '@petstore-inventory/shared/words';
import type { ImportTask, PlacedRow, RefusedRow } from '../../domain/import-jobs.ts';
import { MAX_IMPORT_FAULTS, MAX_IMPORT_ROWS } from '../../domain/management/imports.ts';

/** Rows of one transaction. */
const ROWS_PER_BATCH = 2_000;

/** Reads the file of an import, and collects its rows in batches, and its faults. */
export class ImportCheck {
  readBytes = 0;
  readonly #file: PetFile;
  readonly #rows: PetRows;
  readonly #rowsPerBatch: number;
  #waiting: PlacedRow[] = [];
  #unreadable: UnreadableFile | undefined;

  /** @param rowsPerBatch Another number for tests. */
  constructor(
    { format, mode, reading }: Pick<ImportTask, 'format' | 'mode'> & { readonly reading?: Reading },
    maxQuantity: number,
    rowsPerBatch = ROWS_PER_BATCH,
  ) {
    this.#rowsPerBatch = rowsPerBatch;
    this.#rows = new PetRows({
      maxFaults: MAX_IMPORT_FAULTS,
      maxQuantity,
      mode,
      decimal: reading?.decimal,
      ignored: reading?.ignored,
      onRow: (row, { line, element }) => {
        if (this.#rows.rowCount > MAX_IMPORT_ROWS) this.#rows.stop(line, TOO_MANY_ROWS);
        this.#waiting.push({ row, line, element });
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

  /** Reads bytes. */
  read(bytes: Uint8Array): void {
    this.readBytes += bytes.length;
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
  take(isLast: boolean): readonly PlacedRow[] {
    if (this.#waiting.length < this.#rowsPerBatch && !isLast) return [];
    return this.#waiting.splice(0, this.#rowsPerBatch);
  }

  noteRefused({ row, line, element, earlierLine, found }: RefusedRow): void {
    if (earlierLine === null) this.#rows.wrongSum(row, { line, element }, found);
    else this.#rows.repeated(row.petId, { line, element }, earlierLine);
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

const TOO_MANY_ROWS = importProblem('too_many_pets', { maximum: MAX_IMPORT_ROWS });

function byLine(a: { readonly line: number | null }, b: { readonly line: number | null }): number {
  return (a.line ?? 0) - (b.line ?? 0);
}
