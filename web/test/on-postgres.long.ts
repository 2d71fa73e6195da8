// Imported first, it closes its browser after all tests of the process, not after those of one file.
import './support/browser.ts';
import { runOnPostgres } from '../../server/test/postgres/support/on-postgres.ts';

runOnPostgres(
  [
    'access/access',
    'count/count',
    'count/count.long',
    'imports/imports',
    'journeys/connection.long',
    'journeys/keyboard.long',
    'journeys/sessions.long',
    'orders',
    'pet',
    'reorders',
    'stock/stock',
    'stocktakes',
  ],
  { folder: new URL('./', import.meta.url) },
);
