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

/** The members of an error in JSON that say what is wrong in a file; none for other errors. */
export function refusedFileJson(error: unknown): { errors?: readonly FileFault[]; errorCount?: number } {
  return error instanceof RefusedFile ? { errors: error.faults, errorCount: error.faultCount } : {};
}
