/** A runner renews its lease with each piece of a file. */
export const CHECK_LEASE_MS = 15_000;
/** The transaction cannot renew it. A runner that takes over too early waits for that transaction, and finds it applied. */
export const APPLY_LEASE_MS = 60_000;

/** The import `$1`, if the runner `$2` holds it. A state follows. */
export const IS_HELD = 'id = $1 AND lease_owner = $2 AND state =';
