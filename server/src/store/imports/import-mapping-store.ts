import { headingKey } from '@petstore-inventory/shared/pet-file/headings';
import { MAX_IMPORT_MAPPINGS } from '@petstore-inventory/shared/limits';
import type { MappingValues } from '@petstore-inventory/shared/pet-file/mapping';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import {
  type ImportMapping,
  type ImportMappingStore,
  requireMapping,
  unknownMapping,
  type WrittenMapping,
} from '../../domain/management/import-mappings.ts';
import { recordAction } from '../ledger/activity.ts';
import type { ImportEngine } from './import-engine.ts';
import { underLedgerLock } from '../sql-client.ts';

const COLUMNS = 'name, reading, updated_by AS "updatedBy", updated_at AS "updatedAtMs"';
const SET = `INSERT INTO import_mappings (name_key, name, reading, updated_by, updated_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (name_key) DO UPDATE SET name = excluded.name, reading = excluded.reading,
updated_by = excluded.updated_by, updated_at = excluded.updated_at`;

interface MappingRow extends Omit<ImportMapping, keyof MappingValues> {
  readonly reading: string;
}

/** Remembered mappings, for either engine. */
export class SqlImportMappingStore implements ImportMappingStore {
  readonly #engine: ImportEngine;

  constructor(engine: ImportEngine) {
    this.#engine = engine;
  }

  async list(): Promise<readonly ImportMapping[]> {
    const rows = await this.#engine.all<MappingRow>(`SELECT ${COLUMNS} FROM import_mappings`, []);
    // Sorted here, because the collations of SQLite and PostgreSQL differ.
    const keyed = rows.map((row) => ({ key: headingKey(row.name), mapping: toMapping(row) }));
    return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ mapping }) => mapping);
  }

  async find(name: string): Promise<ImportMapping | undefined> {
    const sql = `SELECT ${COLUMNS} FROM import_mappings WHERE name_key = $1`;
    const [row] = await this.#engine.all<MappingRow>(sql, [headingKey(name)]);
    return row && toMapping(row);
  }

  async set(name: string, written: WrittenMapping, author: ActionAuthor): Promise<ImportMapping> {
    const mapping = { ...written, name: written.name ?? name };
    requireMapping({ ...mapping, name });
    requireMapping(mapping);
    const [key, newKey] = [headingKey(name), headingKey(mapping.name)];
    // Two writers must not both find the last free place, nor the same free name.
    return underLedgerLock(this.#engine, async (nowMs) => {
      const before = await this.find(name);
      if (newKey !== key && before === undefined) throw unknownMapping(name);
      if (newKey !== key && (await this.find(mapping.name)))
        throw new OperatorError(`There is a mapping ${shownValue(mapping.name)} already.`);
      if (before === undefined && (await this.#count()) >= MAX_IMPORT_MAPPINGS)
        throw new OperatorError(
          `There are ${MAX_IMPORT_MAPPINGS} mappings already; delete one of them first.`,
        );
      if (newKey !== key) await this.#remove(key);
      const { columns, decimal, encoding, sheet } = mapping;
      const reading = JSON.stringify({ columns, decimal, encoding, sheet } satisfies MappingValues);
      await this.#engine.run(SET, [newKey, mapping.name, reading, author.actor, nowMs]);
      const renamed = before && before.name !== mapping.name ? { renamedFrom: before.name } : {};
      const fields = columns.map(({ heading, field }) => `${heading}: ${field ?? 'left out'}`);
      const details = { columns: fields, decimal, encoding, sheet, ...renamed };
      const action = { action: 'import-mappings.set', target: mapping.name, details } as const;
      await recordAction(this.#engine, author, action, nowMs);
      return { ...mapping, updatedBy: author.actor, updatedAtMs: nowMs };
    });
  }

  delete(name: string, author: ActionAuthor): Promise<void> {
    return this.#engine.transaction(async () => {
      const found = await this.find(name);
      if (found === undefined || (await this.#remove(headingKey(name))) === 0) throw unknownMapping(name);
      const action = { action: 'import-mappings.delete', target: found.name, details: {} } as const;
      await recordAction(this.#engine, author, action);
    });
  }

  async #count(): Promise<number> {
    const sql = 'SELECT count(*) AS count FROM import_mappings';
    return (await this.#engine.all<{ count: number }>(sql, []))[0]?.count ?? 0;
  }

  #remove(key: string): Promise<number> {
    return this.#engine.run('DELETE FROM import_mappings WHERE name_key = $1', [key]);
  }
}

function toMapping({ reading, ...row }: MappingRow): ImportMapping {
  return { ...row, ...(JSON.parse(reading) as MappingValues) };
}
