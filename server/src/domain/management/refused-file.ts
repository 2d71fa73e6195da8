import { OperatorError } from '../errors.ts';
import type { Faults, FileFault } from './imports.ts';

/** The refusal of a file of pets, with the first of its faults. */
export class RefusedFile extends OperatorError {
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
