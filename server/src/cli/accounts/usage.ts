import { table } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import { type Command, Option } from 'commander';
import type { Account } from '../../domain/access/api-key.ts';
import {
  USAGE_UNITS,
  type UsagePeriod,
  type UsageQuery,
  type UsageUnit,
  usageQuery,
} from '../../domain/management/usage.ts';
import { usageMembers } from '../../wire/usage-json.ts';
import { addCommand } from '../command.ts';
import { type Moment, parsePastTime, readableTime } from '../parse-time.ts';
import { count, type Output } from '../terminal/output.ts';
import { databaseCommand } from '../with-database.ts';
import { findAccount } from './find-account.ts';

const BAR_WIDTH = 30;

interface UsageOptions {
  readonly unit: UsageUnit;
  readonly since?: Moment;
  readonly until?: Moment;
}

/** Adds the command that shows the requests of an account over time. */
export function addUsage(accounts: Command): void {
  addCommand(accounts, 'usage', {
    summary: 'show the requests of an account over time',
    notes:
      'It counts admitted requests in UTC: per minute for 48 hours, per hour for 90 days, per day for 5 years. Without --since it shows ' +
      '60 minutes, 24 hours or 30 days.',
    example: 'accounts usage shop --unit day --since 2026-01-01',
  })
    .argument('<name>', 'name or id of the account')
    .addOption(new Option('--unit <unit>', 'the length of a period').choices(USAGE_UNITS).default('hour'))
    .option(
      '--since <time>',
      'the first period is that of this UTC time, or of 90m, 7d, … ago',
      parsePastTime,
    )
    .option('--until <time>', 'the last period begins before this UTC time, or 90m, 7d, … ago', parsePastTime)
    .action(
      databaseCommand(async ({ store }, name: string, { unit, since, until }: UsageOptions) => {
        const account = findAccount(await store.accounts.list(), name);
        const nowMs = await store.now();
        const query = usageQuery({ unit, sinceMs: since?.(nowMs), untilMs: until?.(nowMs) }, nowMs);
        const periods = await store.usage.read(account.id, query);
        return describeUsage(account, query, periods, process.stdout.isTTY);
      }),
    );
}

/** @param hasBars Whether each period has a bar, for a person at a terminal. */
export function describeUsage(
  { name }: Pick<Account, 'name'>,
  query: UsageQuery,
  periods: readonly UsagePeriod[],
  hasBars: boolean,
): Output {
  const value = usageMembers(query, periods);
  const range = `from ${readableTime(query.sinceMs)} to ${readableTime(query.untilMs)}`;
  const total = `Account ${name}: ${count(value.requests, 'request')} ${range}.`;
  if (periods.length === 0) return { value, text: total };
  const most = Math.max(...periods.map(({ requests }) => requests));
  const rows = periods.map(({ beganAtMs, requests }) => [
    query.unit === 'day' ? readableTime(beganAtMs).slice(0, 10) : readableTime(beganAtMs),
    thousands(requests),
    ...(hasBars ? ['#'.repeat(Math.ceil((requests / most) * BAR_WIDTH))] : []),
  ]);
  const headings = [query.unit.toUpperCase(), 'REQUESTS', ...(hasBars ? [''] : [])];
  return { value, text: `${total}\n\n${table(headings, rows)}` };
}
