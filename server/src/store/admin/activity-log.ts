import { digitsAsBigint } from '../../domain/bigint-json.ts';
import type { ActivityEntry, ActivityLog, ActivityQuery } from '../../domain/management/activity.ts';
import type { SqlValue } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';

interface ActivityRow extends Omit<ActivityEntry, 'details'> {
  readonly details: string;
}

/** The activity log of either engine. */
export class SqlActivityLog implements ActivityLog {
  readonly #client: Pick<AdminEngine, 'all'>;

  constructor(client: Pick<AdminEngine, 'all'>) {
    this.#client = client;
  }

  async list(query: ActivityQuery): Promise<readonly ActivityEntry[]> {
    const { sql, values } = activityStatement(query);
    const rows = await this.#client.all<ActivityRow>(sql, values);
    return rows.map(({ details, ...entry }) => ({ ...entry, details: JSON.parse(details, digitsAsBigint) }));
  }
}

/** Only the conditions that the query sets, so that an index of a set one finds the rows. */
function activityStatement(query: ActivityQuery): {
  readonly sql: string;
  readonly values: SqlValue[];
} {
  const values: SqlValue[] = [];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (query.actor !== undefined) conditions.push(`actor = ${place(query.actor)}`);
  if (query.action !== undefined) conditions.push(`action = ${place(query.action)}`);
  if (query.target !== undefined) conditions.push(`target = ${place(query.target)}`);
  if (query.sinceMs !== undefined) conditions.push(`recorded_at >= ${place(Math.ceil(query.sinceMs))}`);
  if (query.untilMs !== undefined) conditions.push(`recorded_at < ${place(Math.ceil(query.untilMs))}`);
  if (query.before !== undefined) {
    const before = `SELECT recorded_at, id FROM activity WHERE id = ${place(query.before)}`;
    conditions.push(`(recorded_at, id) < (${before})`);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const page = `SELECT * FROM activity ${where} ORDER BY recorded_at DESC, id DESC LIMIT ${place(query.limit)}`;
  const sql = `SELECT line.id, line.recorded_at AS "recordedAtMs", actor, coalesce(api_keys.name, actor) AS "actorName",
request_id AS "requestId", action, target, details
FROM (${page}) AS line LEFT JOIN api_keys ON api_keys.id = actor ORDER BY line.recorded_at DESC, line.id DESC`;
  return { sql, values };
}
