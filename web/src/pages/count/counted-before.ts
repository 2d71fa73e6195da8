import type { Movement } from '../../api/schemas.ts';

/** Reads movements of one pet. @throws ApiError */
type ReadMovements = (query: Readonly<Record<string, string | number>>) => Promise<readonly Movement[]>;

/** The newest count of a pet, if it is one of the stock-take and was not undone. */
export async function findCountedBefore(
  stocktakeId: string | undefined,
  read: ReadMovements,
): Promise<Movement | null> {
  const [newest] = await read({ reason: 'cycle_count', order: 'desc', limit: 1 });
  if (!newest || newest.referenceId !== stocktakeId) return null;
  let [last, isUndone] = [newest.sequence, false];
  // The undo of an undo gives the count back.
  for (const { sequence, revertedSequence } of await read({ kind: 'revert', after: last })) {
    if (revertedSequence === last) [last, isUndone] = [sequence, !isUndone];
  }
  return isUndone ? null : newest;
}
