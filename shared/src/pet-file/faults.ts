import { type ImportProblem, importProblem } from './import-problems.ts';

/** What is wrong in a file of pets, and where. */
export interface FileFault extends ImportProblem {
  /** From 1; `null`: the whole file. */
  readonly line: number | null;
  /** From 1, in a JSON array, of which one line may hold many elements. */
  readonly element: number | null;
  /** The column or member; `null`: the whole row. */
  readonly field: string | null;
  /** The beginning of the row; `null`: unknown. */
  readonly row: string | null;
}

export interface Faults {
  readonly faults: readonly FileFault[];
  readonly faultCount: number;
}

/** A quantity of a file that cannot be added to what its pet has. */
export interface WrongSum {
  readonly petId: bigint;
  /** What the pet has; 0 for a new one. */
  readonly found: number;
  readonly added: number;
}

/** What is wrong with a sum, which may be too large for a number. */
export function wrongSumProblem({ petId, found, added }: WrongSum, maximum: number): ImportProblem {
  const sum = BigInt(found) + BigInt(added);
  const values = { petId, added, found, sum };
  return sum < 0n
    ? importProblem('sum_below_zero', values)
    : importProblem('sum_too_large', { ...values, maximum });
}

/** Thrown where the rest of a file cannot be read after a fault. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  readonly fault: FileFault;

  constructor(line: number | null, problem: ImportProblem) {
    super(problem.message);
    this.fault = { line, element: null, field: null, ...problem, row: null };
  }
}

/** Thrown for bytes that are no text. */
export class UnreadableText extends UnreadableFile {
  override name = 'UnreadableText';
}

/** No row of seven short fields needs more. It bounds memory, and the search for the end of a quote. */
export const MAX_ROW_CHARACTERS = 65_536;

export const ROW_TOO_LONG = importProblem('row_too_long', { maximum: MAX_ROW_CHARACTERS });

/** A fault with its place, for people. */
export function describeFault({ line, element, field, message }: FileFault): string {
  const place = line === null ? ['file'] : [`line ${line}`];
  if (element !== null) place.push(`element ${element}`);
  if (field !== null) place.push(field);
  return `${place.join(', ')}: ${message}`;
}
