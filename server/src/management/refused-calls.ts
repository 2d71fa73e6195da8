import type { Store } from '../domain/store.ts';
import { wrongClock } from '../store/errors.ts';

/** Calls that record movements, or delete them, with the time at which they run. */
const LEDGER_CALL =
  /^(?:write|pruneMovements|setDefaultThresholds|pets\.(?:create|update|archive|restore|delete)|stocktakes\.(?:count|close|undo)|imports\.apply|bulkChanges\.(?:apply|undo)|reorders\.update)$/;

/** Why a call must not run now, such as `imports.apply`. */
export type RefuseCall = (call: string) => Error | undefined;

/** Refuses what would bring a wrong time into the ledger. Other calls run, such as the revocation of a key. */
export function refuseWithWrongClock(store: Pick<Store, 'clockFault'>): RefuseCall {
  return (call) => {
    const fault = LEDGER_CALL.test(call) ? store.clockFault() : undefined;
    return fault === undefined ? undefined : wrongClock(new Error(fault));
  };
}
