import type { Store } from '../domain/store.ts';
import { lostMeanwhile, unusable, wrongClock } from '../store/errors.ts';

/** Calls that record movements, or delete them, with the time at which they run. */
const LEDGER_CALL =
  /^(?:write|pruneMovements|setDefaultThresholds|pets\.(?:create|update|archive|restore|delete)|stocktakes\.(?:count|close|undo|cancel)|imports\.apply|bulkChanges\.(?:apply|undo)|reorders\.update)$/;

/** What the serving thread checks before and after a call of another thread. */
export interface CallChecks {
  /** Why a call must not run now, such as `imports.apply`. */
  readonly refusal: (call: string) => Error | undefined;
  /** Why the result of a call must not be returned. */
  readonly doubt: () => Error | undefined;
}

/**
 * Refuses what would bring a wrong time into the ledger; other calls run, such as the revocation of a key. Refuses all while
 * the files of the database must not be used: the thread would change files that the next start does not find, or others.
 */
export function callChecks(store: Pick<Store, 'clockFault' | 'fileFault'>): CallChecks {
  const fileFault = (refusal: (cause: unknown) => Error) => {
    const fault = store.fileFault();
    return fault && refusal(fault);
  };
  const clockFault = () => {
    const fault = store.clockFault();
    return fault === undefined ? undefined : wrongClock(new Error(fault));
  };
  return {
    refusal: (call) => fileFault(unusable) ?? (LEDGER_CALL.test(call) ? clockFault() : undefined),
    doubt: () => fileFault(lostMeanwhile),
  };
}
