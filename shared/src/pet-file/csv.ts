import { CsvTable } from './csv-head.ts';
import { type CsvFault, UnreadableCsv } from './csv-records.ts';
import { ROW_TOO_LONG } from './faults.ts';
import { type ImportProblem, importProblem } from './import-problems.ts';
import type { PetRows } from './rows.ts';
import { PetTable } from './table.ts';

const FAULTS: Readonly<Record<CsvFault, ImportProblem>> = {
  'quote-open': importProblem('quote_not_closed'),
  'quote-followed': importProblem('text_after_quote'),
  'quote-within': importProblem('quote_inside_field'),
  'row-too-long': ROW_TOO_LONG,
};

/** Reads CSV: finds the separator, then the table. */
export class CsvReader {
  readonly #rows: PetRows;
  readonly #csv: CsvTable;
  readonly #table: PetTable;

  constructor(rows: PetRows) {
    this.#rows = rows;
    this.#csv = new CsvTable(rows.map);
    this.#table = new PetTable(rows);
  }

  read(piece: string, isLast: boolean): void {
    try {
      this.#csv.read(piece, isLast, (record) => {
        this.#rows.separator = this.#csv.separator;
        this.#table.add(record);
      });
    } catch (error) {
      if (!(error instanceof UnreadableCsv)) throw error;
      this.#rows.stop(error.line, FAULTS[error.fault]);
    }
    if (isLast) this.#table.end();
  }
}
