/** An upload without a part for this long was interrupted. */
export const UPLOAD_TIMEOUT_MS = 60_000;
/** A runner renews its lease with each batch of rows. */
export const CHECK_LEASE_MS = 15_000;
/** The transaction that applies an import cannot renew its lease. A runner that takes over too early waits for that transaction, and finds it applied. */
export const APPLY_LEASE_MS = 60_000;
/** No lease is so long: the clock was ahead when it was taken. */
export const TOO_LONG_MS = 2 * APPLY_LEASE_MS;

/**
 * Whether no runner holds an import, or a change of many pets.
 * @param now The parameter that has the time.
 * @param tooLongMs No lease is so long: the clock was ahead when it was taken.
 */
export function isFree(now: string, tooLongMs = TOO_LONG_MS): string {
  return `(lease_until <= ${now} OR lease_until >= CAST(${now} AS bigint) + ${tooLongMs})`;
}

/** Another runner has the work by now, or a person cancelled it. */
export class LostLease extends Error {}
