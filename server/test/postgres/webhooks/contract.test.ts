import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of the sender of webhooks that run against every store. */
runOnPostgres([
  'webhooks/endpoint-events',
  'webhooks/event-ids',
  'webhooks/event-reader',
  'webhooks/failing-writes',
  'webhooks/leases',
  'webhooks/sender',
  'webhooks/slow-store',
]);
