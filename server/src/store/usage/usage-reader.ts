import { OperatorError } from '../../domain/errors.ts';
import {
  USAGE_UNIT_MS,
  type UsageHistory,
  type UsagePeriod,
  type UsageQuery,
} from '../../domain/management/usage.ts';
import type { SqlClient } from '../sql-client.ts';

const MINUTE_MS = USAGE_UNIT_MS.minute;

/** Reads the usage history of either engine. */
export class UsageReader implements UsageHistory {
  readonly #client: Pick<SqlClient, 'all'>;
  readonly #sql: string;

  /** @param lastMinute A query of the `label` and the `requests` of the last minute of the account `$1`. */
  constructor(client: Pick<SqlClient, 'all'>, lastMinute: string) {
    this.#client = client;
    this.#sql = usageStatement(lastMinute);
  }

  async read(accountId: string, { unit, sinceMs, untilMs }: UsageQuery): Promise<readonly UsagePeriod[]> {
    const unitMs = USAGE_UNIT_MS[unit];
    const fromMs = Math.floor(sinceMs / unitMs) * unitMs;
    const values = [accountId, unit, fromMs, Math.ceil(untilMs), unitMs];
    const periods = await this.#client.all<UsagePeriod>(this.#sql, values);
    if (periods.length === 0) await this.#requireAccount(accountId);
    return periods;
  }

  async #requireAccount(accountId: string): Promise<void> {
    const [account] = await this.#client.all('SELECT 1 FROM accounts WHERE id = $1', [accountId]);
    if (!account) throw new OperatorError(`There is no account ${accountId}.`, { code: 'not_found' });
  }
}

/** One statement sees one moment: a minute is in the history, or it is the last one. */
export function usageStatement(lastMinute: string): string {
  const unitMs = 'CAST($5 AS bigint)';
  return `WITH periods (began_at, requests) AS (
  SELECT began_at, requests FROM usage_history WHERE account_id = $1 AND unit = $2 AND began_at >= $3 AND began_at < $4
  UNION ALL
  SELECT label * ${MINUTE_MS} / ${unitMs} * ${unitMs}, requests FROM (${lastMinute}) AS last WHERE requests > 0
)
SELECT began_at AS "beganAtMs", CAST(sum(requests) AS bigint) AS requests FROM periods WHERE began_at >= $3 AND began_at < $4 GROUP BY began_at ORDER BY began_at`;
}
