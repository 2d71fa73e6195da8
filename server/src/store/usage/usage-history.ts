import { MINUTE_MS } from '@petstore-inventory/shared/durations';
import { OperatorError } from '../../domain/errors.ts';
import {
  MAX_BUSIEST,
  USAGE_RETENTION_MS,
  USAGE_UNIT_MS,
  type AccountTotal,
  type ShopUsage,
  type UsageHistory,
  type UsagePeriod,
  type UsageQuery,
} from '../../domain/management/usage.ts';
import type { SqlReader } from '../sql-client.ts';

/** Reads the usage history of either engine. */
export class UsageReader implements UsageHistory {
  readonly #client: SqlReader;
  readonly #sql: string;
  readonly #shopSql: string;

  /** @param lastMinute A query of the `account_id`, the `label` and the `requests` of the last minute of each account. */
  constructor(client: SqlReader, lastMinute: string) {
    this.#client = client;
    this.#sql = usageStatement(lastMinute);
    this.#shopSql = shopUsageStatement(lastMinute);
  }

  async read(accountId: string, query: UsageQuery): Promise<readonly UsagePeriod[]> {
    const values = [accountId, ...rangeValues(query)];
    const periods = await this.#client.all<UsagePeriod>(this.#sql, values);
    if (periods.length === 0) await this.#requireAccount(accountId);
    return periods;
  }

  async readAll(query: UsageQuery): Promise<ShopUsage> {
    const rows = await this.#client.all<UsagePeriod & AccountTotal>(this.#shopSql, rangeValues(query));
    const accounts = rows.filter(({ id }) => id !== null);
    return {
      periods: rows
        .filter(({ id }) => id === null)
        .map(({ beganAtMs, requests }) => ({ beganAtMs, requests })),
      accounts: accounts.map(({ id, name, requests, fullPeriods }) => ({
        ...{ id, name, requests },
        // An hour has no limit.
        fullPeriods: query.unit === 'hour' ? null : fullPeriods,
      })),
    };
  }

  async #requireAccount(accountId: string): Promise<void> {
    const [account] = await this.#client.all('SELECT 1 FROM accounts WHERE id = $1', [accountId]);
    if (!account) throw new OperatorError(`There is no account ${accountId}.`, { code: 'not_found' });
  }
}

function rangeValues({ unit, sinceMs, untilMs }: UsageQuery): readonly [string, number, number, number] {
  const unitMs = USAGE_UNIT_MS[unit];
  return [unit, Math.floor(sinceMs / unitMs) * unitMs, Math.ceil(untilMs), unitMs];
}

/** One statement sees one moment: a minute is in the history, or it is the last one. */
export function usageStatement(lastMinute: string): string {
  const unitMs = 'CAST($5 AS bigint)';
  return `WITH periods (began_at, requests) AS (
  SELECT began_at, requests FROM usage_history WHERE account_id = $1 AND unit = $2 AND began_at >= $3 AND began_at < $4
  UNION ALL
  SELECT label * ${MINUTE_MS} / ${unitMs} * ${unitMs}, requests FROM (${lastMinute}) AS last WHERE account_id = $1 AND requests > 0
)
SELECT began_at AS "beganAtMs", CAST(sum(requests) AS bigint) AS requests FROM periods WHERE began_at >= $3 AND began_at < $4 GROUP BY began_at ORDER BY began_at`;
}

/**
 * The periods of all accounts together, and the busiest accounts, in one statement, so that both have the same requests.
 * Each account is a range of the primary key: the other units of the history are not read. Sums by period and by account
 * need no sum of the last minute and its period, so nothing is grouped by both; only whether the last minute fills its
 * period does. Read twice, without a table between, all of that takes a fraction of the time.
 */
function shopUsageStatement(lastMinute: string): string {
  const unitMs = 'CAST($4 AS bigint)';
  const limit = `CASE $1 WHEN 'minute' THEN per_minute WHEN 'day' THEN per_day END`;
  const before = 'coalesce(usage_history.requests, 0)';
  return `WITH last_minute (account_id, began_at, requests) AS (
  SELECT account_id, label * ${MINUTE_MS} / ${unitMs} * ${unitMs}, requests FROM (${lastMinute}) AS last WHERE requests > 0
), found (account_id, began_at, requests, fills) AS NOT MATERIALIZED (
  SELECT account_id, began_at, requests, CASE WHEN requests >= ${limit} THEN 1 ELSE 0 END FROM accounts
  JOIN usage_history ON account_id = id AND unit = $1 AND began_at >= $2 AND began_at < $3
  UNION ALL
  SELECT last_minute.account_id, last_minute.began_at, last_minute.requests,
    CASE WHEN ${before} + last_minute.requests >= ${limit} AND ${before} < ${limit} THEN 1 ELSE 0 END
  FROM last_minute JOIN accounts ON accounts.id = last_minute.account_id
  LEFT JOIN usage_history ON usage_history.account_id = last_minute.account_id AND unit = $1
    AND usage_history.began_at = last_minute.began_at
  WHERE last_minute.began_at >= $2 AND last_minute.began_at < $3
), busiest (id, name, requests, full_periods) AS (
  SELECT id, name, totals.requests, full_periods FROM (
    SELECT account_id, CAST(sum(requests) AS bigint) AS requests, sum(fills) AS full_periods FROM found GROUP BY account_id
  ) AS totals JOIN accounts ON account_id = id ORDER BY totals.requests DESC, name LIMIT ${MAX_BUSIEST}
)
SELECT CAST(NULL AS text) AS id, CAST(NULL AS text) AS name, began_at AS "beganAtMs", CAST(sum(requests) AS bigint) AS requests,
  CAST(NULL AS bigint) AS "fullPeriods" FROM found GROUP BY began_at
UNION ALL SELECT id, name, CAST(NULL AS bigint), requests, full_periods FROM busiest
ORDER BY "beganAtMs", requests DESC, name`;
}

/** Accounts per batch. */
const PURGED_ACCOUNTS = 200;
/** Rows per batch: others wait for the database some hundredths of a second at most. */
export const PURGED_PERIODS = 2_000;
/** A new pass over all accounts begins at most this often. */
const PASS_INTERVAL_MS = MINUTE_MS;

/** The accounts of a batch in SQL of both engines: those after `$1`. */
export const BATCH = `SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT ${PURGED_ACCOUNTS}`;

/** Begins of periods and days; everything before is old. The members are in the order of the statements' parameters. */
interface PurgeBounds {
  readonly after: string;
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly dayLabel: number;
}

/** Result of a batch. */
export interface PurgedBatch {
  /** The last account; `null` where there are no more. */
  readonly last: string | null;
  readonly deleted: number;
}

/** The position of the purge of the usage history, which passes over all accounts again and again. */
export class UsagePurge {
  readonly #elapsedMs: () => number;
  #after = '';
  #isPassing = false;
  #nextPassMs = 0;

  /** @param elapsedMs A monotonic clock. */
  constructor(elapsedMs = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  /** The next batch; `undefined` while there is nothing to do. */
  next(nowMs: number): PurgeBounds | undefined {
    if (!this.#isPassing) {
      if (this.#elapsedMs() < this.#nextPassMs) return undefined;
      this.#nextPassMs = this.#elapsedMs() + PASS_INTERVAL_MS;
      this.#isPassing = true;
    }
    const { minute, hour, day } = USAGE_RETENTION_MS;
    const dayLabel = Math.floor((nowMs - minute) / USAGE_UNIT_MS.day);
    return { after: this.#after, minute: nowMs - minute, hour: nowMs - hour, day: nowMs - day, dayLabel };
  }

  note({ last, deleted }: PurgedBatch): void {
    // A batch with more old rows is repeated.
    if (deleted >= PURGED_PERIODS) return;
    this.#after = last ?? '';
    this.#isPassing = last !== null;
  }
}
