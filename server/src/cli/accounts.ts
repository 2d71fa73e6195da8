import { MAX_PLAN_REQUESTS } from '@petstore-inventory/shared/limits';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { PLAN_NAMES, type PlanName, USAGE_UNITS, type UsageUnit } from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Account } from '../domain/access/api-key.ts';
import { createAccount, limitsOf } from '../domain/actions/accounts.ts';
import type { AdminStore } from '../domain/admin-store.ts';
import { OperatorError } from '../domain/errors.ts';
import { CLI_AUTHOR } from '../domain/management/activity.ts';
import {
  type ShopUsage,
  USAGE_UNIT_MS,
  type UsagePeriod,
  type UsageQuery,
  usageQuery,
} from '../domain/management/usage.ts';
import { accountMembers } from '../wire/account-json.ts';
import { shopUsageMembers, usageMembers } from '../wire/usage-json.ts';
import { addCommand } from './command.ts';
import { type DryRunOption, dryRunOutput, parseName, withDryRun } from './options.ts';
import { type Output, shownTable } from './output.ts';
import { type Moment, parsePastTime, shownTime } from './parse-time.ts';
import { databaseCommand } from './with-database.ts';

/** Adds the commands for accounts and their plans. */
export function addAccounts(program: Command): void {
  const accounts = addGroup(program, 'accounts', 'who may use the service, on which plan');

  const create = addCommand(accounts, 'create', {
    summary: 'make an account',
    example: 'accounts create shop --plan pro',
  }).argument('<name>', 'a unique name', parseName);
  addPlanOptions(create).action(
    databaseCommand(
      async ({ store }, name: string, options: PlanOptions) => {
        const account = await createAccount(store, { ...options, name }, CLI_AUTHOR);
        return describeAccount(account, `Account ${name} is made, on ${planText(account)}.`);
      },
      { sample: 'refuse', check: (command, _name, options) => requireLimits(options, command) },
    ),
  );

  addCommand(accounts, 'list', { summary: 'list all accounts', example: 'accounts list' })
    .option('--search <text>', 'only those with the text in name or id')
    .action(
      databaseCommand(async ({ store }, { search: words }: { search?: string }) =>
        describeAccounts(await store.accounts.list(words === undefined ? {} : { words })),
      ),
    );

  addSetPlan(accounts);
  addUsage(accounts);
}

/** Adds the command that changes the plan of an account. */
function addSetPlan(accounts: Command): void {
  const setPlan = addCommand(accounts, 'set-plan', {
    summary: 'put an account on another plan',
    notes: 'Every instance applies the plan within 5 seconds. Used requests of the windows stay used.',
    example: 'accounts set-plan shop --plan enterprise --per-minute 5000 --per-day 1000000',
  }).argument('<name>', 'name or id of the account');
  withDryRun(addPlanOptions(setPlan), 'the old and the new limits').action(
    databaseCommand(
      async ({ store }, name: string, { dryRun, ...options }: PlanOptions & DryRunOption) => {
        const account = findAccount(await store.accounts.list(), name);
        const { plan } = options;
        if (dryRun) return previewPlan(store, account, { ...account, plan, limits: limitsOf(options) });
        const changed = await store.accounts.update(account.id, options, CLI_AUTHOR);
        return describeAccount(changed, `Account ${account.name} is now on ${planText(changed)}.`);
      },
      { check: (command, _name, options) => requireLimits(options, command) },
    ),
  );
}

async function previewPlan(store: AdminStore, account: Account, changed: Account): Promise<Output> {
  const nowMs = await store.now();
  const today = { unit: 'day', sinceMs: nowMs, untilMs: nowMs + USAGE_UNIT_MS.day } as const;
  const usedToday = (await store.usage.read(account.id, today))[0]?.requests ?? 0;
  const { perDay } = changed.limits;
  const used = `It has used ${count(usedToday, 'request')} today (UTC)`;
  const { id: _id, name: _name, createdAt: _createdAt, ...before } = accountMembers(account);
  return dryRunOutput(
    { ...accountMembers(changed), before, usedToday },
    [
      `Account ${account.name} is on ${planText(account)}.`,
      `It would be on ${planText(changed)}.`,
      usedToday < perDay
        ? `${used}.`
        : `${used}, and the new limit is ${thousands(perDay)}: its requests would be refused until midnight.`,
    ].join('\n'),
  );
}

interface PlanOptions {
  readonly plan: PlanName;
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** Adds a plan with its limits. */
function addPlanOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--plan <plan>', 'the limits of the account').choices(PLAN_NAMES).makeOptionMandatory(),
    )
    .option('--per-minute <n>', 'requests per minute, for the enterprise plan', parseLimit)
    .option('--per-day <n>', 'requests per day, for the enterprise plan', parseLimit);
}

function parseLimit(text: string): number {
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_PLAN_REQUESTS) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_PLAN_REQUESTS}.`);
  }
  return limit;
}

/** Rejects options that `limitsOf` would, as a mistake of the command line. */
function requireLimits({ plan, perMinute, perDay }: PlanOptions, command: Command): void {
  if (plan === 'enterprise') {
    if (perMinute !== undefined && perDay !== undefined) return;
    command.error('error: the enterprise plan needs --per-minute and --per-day');
  }
  if (perMinute === undefined && perDay === undefined) return;
  command.error(
    `error: --per-minute and --per-day are for the enterprise plan only; the ${plan} plan has its own`,
  );
}

function planText({ plan, limits }: Pick<Account, 'plan' | 'limits'>): string {
  return `plan ${plan}: ${thousands(limits.perMinute)} requests per minute, ${thousands(limits.perDay)} per day`;
}

function describeAccount(account: Account, text: string): Output {
  return { value: accountMembers(account), text };
}

function describeAccounts(accounts: readonly Account[]): Output {
  const rows = accounts.map(({ name, plan, limits, id, createdAtMs }) => {
    return [name, plan, thousands(limits.perMinute), thousands(limits.perDay), shownTime(createdAtMs), id];
  });
  const text =
    rows.length === 0
      ? 'There are no accounts yet; petstore-server accounts create makes one.'
      : shownTable(['NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'CREATED', 'ID'], rows);
  return { value: accounts.map(accountMembers), text };
}

const MAX_NAMES_SHOWN = 20;

/**
 * Finds an account by its name or id.
 * @throws OperatorError with the names of the accounts.
 */
export function findAccount(accounts: readonly Account[], name: string): Account {
  const found =
    accounts.find((account) => account.name === name) ?? accounts.find((account) => account.id === name);
  if (found) return found;
  const names = accounts.slice(0, MAX_NAMES_SHOWN).map((account) => account.name);
  if (accounts.length > MAX_NAMES_SHOWN) names.push('…');
  const hint =
    names.length === 0
      ? 'there is none yet; petstore-server accounts create makes one.'
      : `there are: ${names.join(', ')}.`;
  throw new OperatorError(`There is no account ${JSON.stringify(name)}; ${hint}`);
}

const BAR_WIDTH = 30;

interface UsageOptions {
  readonly unit: UsageUnit;
  readonly since?: Moment;
  readonly until?: Moment;
}

/** Adds the command that shows the requests of an account over time. */
function addUsage(accounts: Command): void {
  addCommand(accounts, 'usage', {
    summary: 'show the requests of an account over time, or of all accounts and the busiest ones',
    notes:
      'It counts admitted requests in UTC: per minute for 48 hours, per hour for 90 days, per day for 5 years. Without --since it shows ' +
      '60 minutes, 24 hours or 30 days.',
    example: 'accounts usage shop --unit day --since 2026-01-01',
  })
    .argument('[name]', 'name or id of the account; without it, all accounts')
    .addOption(new Option('--unit <unit>', 'the length of a period').choices(USAGE_UNITS).default('hour'))
    .option(
      '--since <time>',
      'the first period is that of this UTC time, or of 90m, 7d, … ago',
      parsePastTime,
    )
    .option('--until <time>', 'the last period begins before this UTC time, or 90m, 7d, … ago', parsePastTime)
    .action(
      databaseCommand(async ({ store }, name: string | undefined, { unit, since, until }: UsageOptions) => {
        const account = name === undefined ? undefined : findAccount(await store.accounts.list(), name);
        const nowMs = await store.now();
        const query = usageQuery({ unit, sinceMs: since?.(nowMs), untilMs: until?.(nowMs) }, nowMs);
        if (!account) return describeShopUsage(query, await store.usage.readAll(query), process.stdout.isTTY);
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
  const text = `Account ${name}: ${totalText(query, value.requests)}`;
  return { value, text: [text, ...periodTable(query, periods, hasBars)].join('\n\n') };
}

/** @param hasBars Whether each period has a bar, for a person at a terminal. */
export function describeShopUsage(query: UsageQuery, usage: ShopUsage, hasBars: boolean): Output {
  const value = shopUsageMembers(query, usage);
  const rows = usage.accounts.map(({ name, requests, fullPeriods }) => [
    name,
    thousands(requests),
    shownShare(requests / value.requests),
    ...(fullPeriods === null ? [] : [thousands(fullPeriods)]),
  ]);
  const atLimit = query.unit === 'hour' ? [] : [`${query.unit.toUpperCase()}S AT LIMIT`];
  const accounts = rows.length > 0 ? [shownTable(['ACCOUNT', 'REQUESTS', 'SHARE', ...atLimit], rows)] : [];
  const text = `All accounts: ${totalText(query, value.requests)}`;
  return { value, text: [text, ...accounts, ...periodTable(query, usage.periods, hasBars)].join('\n\n') };
}

function shownShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function totalText({ sinceMs, untilMs }: UsageQuery, requests: number): string {
  return `${count(requests, 'request')} from ${shownTime(sinceMs)} to ${shownTime(untilMs)}.`;
}

/** The table of the periods; none of no periods. */
function periodTable(
  { unit }: UsageQuery,
  periods: readonly UsagePeriod[],
  hasBars: boolean,
): readonly string[] {
  if (periods.length === 0) return [];
  const most = Math.max(...periods.map(({ requests }) => requests));
  const rows = periods.map(({ beganAtMs, requests }) => [
    unit === 'day' ? shownTime(beganAtMs).slice(0, 10) : shownTime(beganAtMs),
    thousands(requests),
    ...(hasBars ? ['#'.repeat(Math.ceil((requests / most) * BAR_WIDTH))] : []),
  ]);
  return [shownTable([unit.toUpperCase(), 'REQUESTS', ...(hasBars ? [''] : [])], rows)];
}
