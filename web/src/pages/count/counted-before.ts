import type { Page } from '../../api/pages.ts';
import type { Movement } from '../../api/schemas.ts';

type Query = Readonly<Record<string, string | number>>;
/** Reads a page of the movements of one pet. @throws ApiError */
type ReadMovements = (query: Query) => Promise<Page<Movement>>;

/** The newest count of a pet since a stock-take was started, if it is one of the stock-take and was not undone. */
export async function findCountedBefore(
  { id, startedAt }: { readonly id: string; readonly startedAt: string },
  read: ReadMovements,
): Promise<Movement | null> {
  const counts = { reason: 'cycle_count', since: startedAt, order: 'desc', limit: 1 };
  const { value: newest } = await movementsOf(read, counts, 'before').next();
  if (!newest || newest.referenceId !== id) return null;
  let [last, isUndone] = [newest.sequence, false];
  // The undo of an undo gives the count back.
  const reverts = { kind: 'revert', after: newest.sequence };
  for await (const { sequence, revertedSequence } of movementsOf(read, reverts, 'after')) {
    if (revertedSequence === last) [last, isUndone] = [sequence, !isUndone];
  }
  return isUndone ? null : newest;
}

/** The movements of all pages. A page may have none, and not be the last one. */
async function* movementsOf(
  read: ReadMovements,
  query: Query,
  from: 'after' | 'before',
): AsyncGenerator<Movement, undefined> {
  let next: string | undefined;
  do {
    const page = await read(next === undefined ? query : { ...query, [from]: next });
    yield* page.items;
    next = page.next;
  } while (next !== undefined);
  return undefined;
}
