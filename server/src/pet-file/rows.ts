import { OperatorError } from '../domain/errors.ts';
import type { PetRow } from '../domain/store.ts';
import {
  type PetField,
  readPetId,
  readQuantity,
  readStatus,
  readText,
  readThresholds,
  type UncheckedPet,
} from './values.ts';

interface Fault {
  readonly line: number;
  readonly field: string | null;
  readonly message: string;
}

const MAX_FAULTS_SHOWN = 20;

/** The rows of one file of pets, checked one after the other, and all that is wrong with them. */
export class PetRows {
  readonly #file: string;
  readonly #rows: PetRow[] = [];
  readonly #lines = new Map<bigint, number>();
  readonly #faults: Fault[] = [];
  #faultCount = 0;
  #wrongRowCount = 0;
  #line = 0;
  #element: number | undefined;
  #isWrong = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Refuses the whole file for what is wrong on one line of it. */
  stop(line: number, message: string): never {
    throw new OperatorError(`${this.#file}, line ${line}: ${message} Nothing was imported.`);
  }

  /** Begins a row. `element` counts from 1 in a JSON array, of which one line may hold many. */
  startRow(line: number, element?: number): void {
    this.#line = line;
    this.#element = element;
    this.#isWrong = false;
  }

  /** Notes what is wrong with the row that was begun; on another line than its first if it spans several. */
  fault(field: string | null, message: string, line = this.#line): void {
    if (!this.#isWrong) this.#wrongRowCount += 1;
    this.#isWrong = true;
    this.#faultCount += 1;
    if (this.#faults.length === MAX_FAULTS_SHOWN) return;
    const place = this.#element === undefined ? [] : [`element ${this.#element}`];
    if (field !== null) place.push(field);
    this.#faults.push({ line, field: place.length === 0 ? null : place.join(', '), message });
  }

  /** Checks the row that was begun and keeps it. Returns whether nothing is wrong with it so far. */
  add(pet: UncheckedPet, lineOf = (_field: PetField) => this.#line): boolean {
    const complain = (field: PetField, message: string) => this.fault(field, message, lineOf(field));
    const petId = readPetId(pet.petId, complain);
    const name = readText('name', pet.name, complain);
    const category = readText('category', pet.category, complain);
    const quantity = readQuantity(pet.quantity, complain);
    const status = readStatus(pet.status, complain);
    const thresholds = readThresholds(pet, complain);

    if (petId !== undefined) {
      const earlierLine = this.#lines.get(petId);
      if (earlierLine === undefined) this.#lines.set(petId, this.#line);
      else complain('petId', `${petId} is on line ${earlierLine} already.`);
    }
    if (this.#isWrong || petId === undefined || quantity === undefined) return false;
    if (this.#faultCount > 0) return true;
    const row = { petId, name, category, quantity, status };
    this.#rows.push(thresholds ? { ...row, thresholds } : row);
    return true;
  }

  /**
   * All rows, in the order of the file.
   * @throws OperatorError that lists what is wrong, if anything is.
   */
  finish(): PetRow[] {
    if (this.#faultCount === 0) return this.#rows;
    const wrong = this.#wrongRowCount === 1 ? '1 row is' : `${this.#wrongRowCount} rows are`;
    const lines = this.#faults.map(
      ({ line, field, message }) => `  line ${line}${field === null ? '' : `, ${field}`}: ${message}`,
    );
    const hiddenCount = this.#faultCount - this.#faults.length;
    if (hiddenCount > 0) lines.push(`  … and ${hiddenCount} more`);
    throw new OperatorError(`${this.#file}: ${wrong} wrong; nothing was imported.\n${lines.join('\n')}`);
  }
}
