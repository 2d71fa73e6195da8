import { type FileFault, type WrongSum, wrongSumProblem } from '@petstore-inventory/shared/pet-file/faults';
import { RefusedFile } from '@petstore-inventory/shared/pet-file/refused-file';

const MAX_SHOWN = 20;

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
