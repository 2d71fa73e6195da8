import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of the sender of webhooks that take longer. */
runOnPostgres([
  'webhooks/hanging-receivers',
  'webhooks/sender-failures',
  'webhooks/simulation/deliveries.long',
]);
