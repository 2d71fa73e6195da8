import type { Faults, FileFault } from './faults.ts';

/** Why a file of pets cannot be read, as a sentence. */
export class PetFileError extends Error {
  override name = 'PetFileError';
}

/** The refusal of a file of pets, with the first of its faults. */
export class RefusedFile extends PetFileError {
  override name = 'RefusedFile';
  readonly faults: readonly FileFault[];
  readonly faultCount: number;

  constructor(message: string, { faults, faultCount }: Faults) {
    super(message);
    this.faults = faults;
    this.faultCount = faultCount;
  }
}

/** What is wrong: a sentence, and for a file also its place. */
export type ErrorEntry = { readonly message: string; readonly code?: string } | FileFault;

/** The members of an error in JSON that list what is wrong: the first faults of a file, or the sentences. */
export function errorsJson(
  error: unknown,
  entries: readonly ErrorEntry[],
): { readonly errors: readonly ErrorEntry[]; readonly errorCount: number } {
  if (error instanceof RefusedFile) return { errors: error.faults, errorCount: error.faultCount };
  return { errors: entries, errorCount: entries.length };
}
