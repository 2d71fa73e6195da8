import { raceOnSqlite } from './stream-race-on-sqlite.ts';

raceOnSqlite('node');
