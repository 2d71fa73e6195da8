import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Overwrites the first page of a table of a SQLite file, as a disk that fails. */
export function damageTable(file: string, table: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { page } = database
    .prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?')
    .get(table) as { page: number };
  const { page_size: bytes } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xff), 0, bytes, (page - 1) * bytes);
  closeSync(descriptor);
}
