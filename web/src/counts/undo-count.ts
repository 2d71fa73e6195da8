import { ApiError } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import type { Movement } from '../api/schemas.ts';
import { stateOfTag, tagOf } from '../stock/stock-row.ts';
import { type Count, stockAfter } from './count.ts';
import { ATTEMPT_MS, interferenceOf, refusalOf } from './send-count.ts';

/**
 * Takes a recorded count back, unless somebody has changed the quantity since, or its movement is not in the ledger any more: after
 * a restore of a backup another change may have its sequence. @throws Error without an answer
 */
export async function undoCount(count: Count): Promise<Partial<Count>> {
  const { tag, undoKey } = count;
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  try {
    const recorded = stateOfTag(tag);
    const path = `/movements/${recorded?.lastSequence}`;
    if (!recorded || tagAfter(await api<Movement>('GET', path, { signal })) !== tagOf(recorded))
      throw new ApiError('not_found', 'The movement of the count does not exist any more.', 404);
    const body = { changeFromQuantity: stockAfter(count) };
    const options = { body, idempotencyKey: undoKey, signal };
    const undone = await api<Movement>('POST', `${path}/revert`, options);
    return { state: 'undone', tag: tagAfter(undone), problem: undefined };
  } catch (error) {
    if (!(error instanceof ApiError) || error.isUnsure || error.status === 401) throw error;
    const { now, isSame } = await interferenceOf(count, signal);
    // The service keeps a refusal under its key: the next attempt needs another one when the reason is gone.
    return isSame ? { problem: refusalOf(error), undoKey: undefined } : { now };
  }
}

/** The tag of the pet after a movement. Its version and time are those of no other movement with the same sequence. */
const tagAfter = ({ version, sequence, recordedAt }: Movement): string =>
  tagOf({ version, lastSequence: sequence, updatedAtMs: Date.parse(recordedAt) });
