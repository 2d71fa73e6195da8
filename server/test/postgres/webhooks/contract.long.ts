import { runOnPostgres } from '../support/on-postgres.ts';

/** Tests of the sender of webhooks that take longer. */
runOnPostgres(['webhooks/sender-failures']);
