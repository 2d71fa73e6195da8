import { ApiError } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import type { Movement } from '../api/schemas.ts';
import { stateOfTag, tagOf } from '../stock/stock-row.ts';
import { type Count, stockAfter } from './count.ts';
import { ATTEMPT_MS, interferenceOf, refusalOf } from './send-count.ts';

/** Takes a recorded count back, unless somebody has changed the quantity since. @throws Error without an answer */
export async function undoCount(count: Count): Promise<Partial<Count>> {
  const { tag, undoKey } = count;
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  try {
    const { version, sequence, recordedAt } = await api<Movement>(
      'POST',
      `/movements/${stateOfTag(tag)?.lastSequence}/revert`,
      { body: { changeFromQuantity: stockAfter(count) }, idempotencyKey: undoKey, signal },
    );
    const state = { version, lastSequence: sequence, updatedAtMs: Date.parse(recordedAt) };
    return { state: 'undone', tag: tagOf(state) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.isTemporary || error.status === 401) throw error;
    const { now, isSame } = await interferenceOf(count, signal);
    return isSame ? { problem: refusalOf(error) } : { now };
  }
}
