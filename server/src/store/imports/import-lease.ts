/** An upload without a part for this long was interrupted. */
export const UPLOAD_TIMEOUT_MS = 60_000;
/** A runner renews its lease with each batch of rows. */
export const CHECK_LEASE_MS = 15_000;
/** The transaction cannot renew it. A runner that takes over too early waits for that transaction, and finds it applied. */
export const APPLY_LEASE_MS = 60_000;
/** No lease is so long: the clock was ahead when it was taken. */
export const TOO_LONG_MS = 2 * APPLY_LEASE_MS;

/**
 * Whether nobody holds an import.
 * @param now The parameter that has the time.
 */
export function isFree(now: string): string {
  return `(lease_until <= ${now} OR lease_until >= CAST(${now} AS bigint) + ${TOO_LONG_MS})`;
}
