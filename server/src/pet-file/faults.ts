import { type ImportProblem, importProblem } from '../domain/management/import-problems.ts';
import type { FileFault } from '../domain/management/imports.ts';

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
