import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of the sender of webhooks that run against every store. */
runOnPostgres(['webhooks/event-ids', 'webhooks/leases', 'webhooks/sender']);
