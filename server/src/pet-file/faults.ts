import type { FileFault } from '../domain/management/imports.ts';

/** Thrown where the rest of a file cannot be read after a fault. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  readonly fault: FileFault;

  constructor(line: number | null, message: string) {
    super(message);
    this.fault = { line, element: null, field: null, message, row: null };
  }
}

/** Thrown for bytes that are no text. */
export class UnreadableText extends UnreadableFile {
  override name = 'UnreadableText';
  readonly problem: 'spreadsheet' | 'encoding';

  constructor(problem: UnreadableText['problem'], line: number | null, message: string) {
    super(line, message);
    this.problem = problem;
  }
}

/** No row of seven short fields needs more. It bounds memory, and the search for the end of a quote. */
export const MAX_ROW_CHARACTERS = 65_536;

export const ROW_TOO_LONG = `the row that begins here has more than ${MAX_ROW_CHARACTERS} characters.`;

/** A fault with its place, for people. */
export function describeFault({ line, element, field, message }: FileFault): string {
  const place = line === null ? ['file'] : [`line ${line}`];
  if (element !== null) place.push(`element ${element}`);
  if (field !== null) place.push(field);
  return `${place.join(', ')}: ${message}`;
}
