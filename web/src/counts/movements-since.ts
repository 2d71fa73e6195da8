import { readPage } from '../api/pages.ts';
import type { Movement } from '../api/schemas.ts';
import type { Count } from './count.ts';

const MAX_MOVEMENTS = 100;

/** The movements of the pet since it was counted; `undefined` if there are too many to read. */
export async function movementsSince(
  { petId, tag }: Count,
  signal: AbortSignal,
): Promise<readonly Movement[] | undefined> {
  const after = /^"\d+-(\d+)-/.exec(tag)?.[1];
  if (after === undefined) return undefined;
  const path = `/inventory/${petId}/movements`;
  const { items, next } = await readPage<Movement>(path, { after, limit: MAX_MOVEMENTS }, signal);
  return next === undefined ? items : undefined;
}
