// Imported first, it closes its browser after all tests of the process, not after those of one file.
import '../../dashboard/support/browser.ts';
import { runOnPostgres } from '../support/on-postgres.ts';

runOnPostgres([
  'dashboard/access/access',
  'dashboard/count/count',
  'dashboard/count/count.long',
  'dashboard/imports/imports',
  'dashboard/journeys/connection.long',
  'dashboard/journeys/keyboard.long',
  'dashboard/journeys/sessions.long',
  'dashboard/orders',
  'dashboard/pet',
  'dashboard/stock/stock',
]);
