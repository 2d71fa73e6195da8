import { OperatorError } from '../../domain/errors.ts';
import { MAX_QUANTITY, PET_STATUSES, type PetStatus, parsePetId } from '../../domain/inventory.ts';
import { parseExactNumber } from '../../domain/numeral.ts';
import { isStorableLine } from '../../domain/storable-text.ts';
import type { PetRow } from '../../domain/store.ts';

export const PET_FIELDS = ['petId', 'name', 'category', 'quantity', 'status'] as const;
export type PetField = (typeof PET_FIELDS)[number];
export type UncheckedPet = Readonly<Partial<Record<PetField, unknown>>>;

export function isPetField(name: string): name is PetField {
  return (PET_FIELDS as readonly string[]).includes(name);
}

/** A number as a JSON file spells it, where a JavaScript number could have lost some of it. */
export class NumberSource {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

interface Fault {
  readonly line: number;
  readonly field: string | null;
  readonly message: string;
}

const MAX_TEXT = 200;
const MAX_SHOWN = 60;
const MAX_FAULTS_SHOWN = 20;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const STATUSES: ReadonlyMap<unknown, PetStatus> = new Map(PET_STATUSES.map((status) => [status, status]));

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
    const status = isAbsent(pet.status) ? null : STATUSES.get(pet.status);
    if (status === undefined)
      complain('status', `${shown(pet.status)} is not one of ${PET_STATUSES.join(', ')}.`);

    if (petId !== undefined) {
      const earlierLine = this.#lines.get(petId);
      if (earlierLine === undefined) this.#lines.set(petId, this.#line);
      else complain('petId', `${petId} is on line ${earlierLine} already.`);
    }
    if (this.#isWrong || petId === undefined || quantity === undefined || status === undefined) return false;
    if (this.#faultCount === 0) this.#rows.push({ petId, name, category, quantity, status });
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

/** A value as an error message quotes it: one line, not too long, nothing in it that a terminal obeys. */
export function shown(value: unknown): string {
  if (value instanceof NumberSource) return brief(value.source);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return typeof value === 'string' ? JSON.stringify(brief(value)).replace(INVISIBLE, escaped) : String(value);
}

function brief(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

type Complain = (field: PetField, message: string) => void;

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function readPetId(value: unknown, complain: Complain): bigint | undefined {
  if (isAbsent(value)) {
    complain('petId', 'it is missing.');
    return undefined;
  }
  const text = value instanceof NumberSource ? value.source : value;
  const petId = typeof text === 'string' || typeof text === 'number' ? parsePetId(String(text)) : undefined;
  if (petId === undefined) {
    complain('petId', `${shown(value)} is not a whole number of 64 bits in plain digits, such as 42.`);
  }
  return petId;
}

function readQuantity(value: unknown, complain: Complain): number | undefined {
  if (isAbsent(value)) {
    complain('quantity', 'it is missing.');
    return undefined;
  }
  const quantity = value instanceof NumberSource ? parseExactNumber(value.source) : value;
  if (typeof quantity === 'number' && Number.isSafeInteger(quantity) && quantity >= 0) return quantity;
  complain('quantity', `${shown(value)} is not a whole number from 0 to ${MAX_QUANTITY}.`);
  return undefined;
}

function readText(field: PetField, value: unknown, complain: Complain): string | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'string') {
    complain(field, `${shown(value)} is not a text.`);
    return null;
  }
  const text = value.trim();
  if (text.length > MAX_TEXT && [...text].length > MAX_TEXT) {
    complain(field, `it is longer than ${MAX_TEXT} characters.`);
  }
  if (!isStorableLine(text)) {
    complain(field, `${shown(text)} has a control character or half a character in it.`);
  }
  return text === '' ? null : text;
}
