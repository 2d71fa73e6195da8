import { type ImportProblem, importProblem } from './import-problems.ts';
import type { FileFault } from './imports.ts';
import { RefusedFile } from './refused-file.ts';

/** A quantity of a file that cannot be added to what its pet has. */
export interface WrongSum {
  readonly petId: bigint;
  /** What the pet has; 0 for a new one. */
  readonly found: number;
  readonly added: number;
}

const MAX_SHOWN = 20;

/** What is wrong with a sum, which may be too large for a number. */
export function wrongSumProblem({ petId, found, added }: WrongSum, maximum: number): ImportProblem {
  const sum = BigInt(found) + BigInt(added);
  const values = { petId, added, found, sum };
  return sum < 0n
    ? importProblem('sum_below_zero', values)
    : importProblem('sum_too_large', { ...values, maximum });
}

/** The refusal of a file. @param sums The first ones. @param total All of them. */
export function wrongSums(sums: readonly WrongSum[], total: number, maxQuantity: number): RefusedFile {
  const shown = sums.slice(0, MAX_SHOWN);
  const faults = shown.map((sum): FileFault => {
    // The rows are in the database by now, without their lines.
    const place = { line: null, element: null, field: 'quantity', row: null };
    return { ...place, ...wrongSumProblem(sum, maxQuantity) };
  });
  const lines = faults.map(({ values, message }) => `  pet ${values.petId}: ${message}`);
  if (total > shown.length) lines.push(`  … and ${total - shown.length} more`);
  const wrong = total === 1 ? '1 row cannot be added' : `${total} rows cannot be added`;
  const message = `${wrong} to the stock; nothing was imported.\n${lines.join('\n')}`;
  return new RefusedFile(message, { faults, faultCount: total });
}
