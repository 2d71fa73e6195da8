import { OperatorError } from '../errors.ts';

/** A quantity of a file that cannot be added to what its pet has. */
export interface WrongSum {
  readonly petId: bigint;
  /** What the pet has; 0 for a new one. */
  readonly found: number;
  readonly added: number;
}

const MAX_SHOWN = 20;

/** What is wrong with a sum, as a sentence. The sum itself may be too large for a number. */
export function wrongSumMessage({ found, added }: WrongSum, maxQuantity: number): string {
  const sum = BigInt(found) + BigInt(added);
  const limit = sum < 0n ? 'below 0' : `above PETSTORE_MAX_QUANTITY (${maxQuantity})`;
  return `adding ${added} to ${found} makes ${sum}, ${limit}.`;
}

/** The refusal of a file. @param sums The first ones. @param total All of them. */
export function wrongSums(sums: readonly WrongSum[], total: number, maxQuantity: number): OperatorError {
  const shown = sums.slice(0, MAX_SHOWN);
  const lines = shown.map((sum) => `  pet ${sum.petId}: ${wrongSumMessage(sum, maxQuantity)}`);
  if (total > shown.length) lines.push(`  … and ${total - shown.length} more`);
  const wrong = total === 1 ? '1 row cannot be added' : `${total} rows cannot be added`;
  return new OperatorError(`${wrong} to the stock; nothing was imported.\n${lines.join('\n')}`);
}
