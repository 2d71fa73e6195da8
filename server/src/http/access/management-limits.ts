import type { Principal } from '../../domain/access/principal.ts';
import { WindowCount } from '../../domain/access/rate-limit.ts';
import type { KeyStore } from '../../domain/store.ts';
import type { RequestContext } from '../request/request-context.ts';
import { overLimit } from './over-limit.ts';

export const REQUESTS_PER_MINUTE = 1_200;
/** Operations whose costs grow with the ledger or a file have a limit of their own. */
export const COSTLY_PER_MINUTE = 60;

interface ManagementLimitParts {
  readonly store: Pick<KeyStore, 'noteKeyUse'>;
  readonly isCostly: (context: RequestContext) => boolean;
}

/** The limits of management keys, per key, in memory of this process. */
export function managementLimits({ store, isCostly }: ManagementLimitParts) {
  // Bounded by the number of management keys, because only a valid one gets a count.
  const counts = { all: new Map<string, WindowCount>(), costly: new Map<string, WindowCount>() };

  return (context: RequestContext): void => {
    const { id } = (context.principal as Principal).key;
    const isDear = isCostly(context);
    const limit = isDear ? COSTLY_PER_MINUTE : REQUESTS_PER_MINUTE;
    const count = countOf(isDear ? counts.costly : counts.all, id);
    count.turnTo(context.nowMs);
    const isAdmitted = count.used < limit;
    if (isAdmitted) count.used += 1;
    context.windows = [count.usage(limit)];
    if (!isAdmitted) {
      throw overLimit(context, { code: 'rate_limit_exceeded', retryAtMs: count.resetAtMs });
    }
    store.noteKeyUse(id, context.nowMs);
  };
}

function countOf(counts: Map<string, WindowCount>, keyId: string): WindowCount {
  const count = counts.get(keyId) ?? new WindowCount('minute');
  counts.set(keyId, count);
  return count;
}
