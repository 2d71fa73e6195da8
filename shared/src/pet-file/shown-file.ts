import { safe } from '../terminal/safe-text.ts';

/** The name of a file that means standard input. */
export const STANDARD_INPUT = '-';

/** A file as messages name it. */
export function shownFile(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : safe(file);
}
