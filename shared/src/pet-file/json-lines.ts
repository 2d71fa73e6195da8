import { MAX_ROW_CHARACTERS, ROW_TOO_LONG } from './faults.ts';
import { importProblem } from './import-problems.ts';
import { addPet } from './json-row.ts';
import type { PetRows } from './rows.ts';

/** Reads one object per line (NDJSON, JSON Lines); blank lines are nothing. */
export class JsonLinesReader {
  readonly #rows: PetRows;
  #rest = '';
  #line = 1;

  constructor(rows: PetRows) {
    this.#rows = rows;
  }

  read(piece: string, isLast: boolean): void {
    const text = this.#rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#readLine(text.slice(start, end));
      start = end + 1;
    }
    this.#rest = text.slice(start);
    if (isLast) this.#readLine(this.#rest);
    else if (this.#rest.length > MAX_ROW_CHARACTERS) this.#rows.stop(this.#line, ROW_TOO_LONG);
  }

  #readLine(source: string): void {
    const line = this.#line;
    this.#line += 1;
    if (source.length > MAX_ROW_CHARACTERS) this.#rows.stop(line, ROW_TOO_LONG);
    if (source.trim() === '') return;
    this.#rows.startRow(line, null, source);
    if (!addPet(source, this.#rows)) this.#rows.fault(null, importProblem('invalid_json'));
  }
}
