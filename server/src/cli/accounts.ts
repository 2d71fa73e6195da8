import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Account } from '../domain/access/api-key.ts';
import { PLAN_NAMES, type PlanName } from '../domain/access/plans.ts';
import { createAccount, HIGHEST_LIMIT, limitsOf } from '../domain/actions/accounts.ts';
import { OperatorError } from '../domain/errors.ts';
import { CLI_AUTHOR } from '../domain/management/activity.ts';
import { USAGE_UNIT_MS } from '../domain/management/usage.ts';
import type { AdminStore } from '../domain/store.ts';
import { addCommand, addGroup } from './command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from './dry-run.ts';
import { parseName } from './parse-name.ts';
import { isoTime, readableTime } from './parse-time.ts';
import { count, type Output, runCommand, thousands } from './terminal/output.ts';
import { table } from './terminal/table.ts';
import { withDatabase } from './with-database.ts';

const MAX_NAMES_SHOWN = 20;

interface PlanOptions {
  readonly plan: PlanName;
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** Adds the commands for accounts and their plans. */
export function addAccounts(program: Command): void {
  const accounts = addGroup(program, 'accounts', 'who may use the service, on which plan');

  const create = addCommand(accounts, 'create', {
    summary: 'make an account',
    example: 'accounts create shop --plan pro',
  }).argument('<name>', 'a unique name', parseName);
  addPlanOptions(create).action((name: string, options: PlanOptions, command: Command) =>
    runCommand(command, (config) => {
      requireLimits(options, command);
      return withDatabase(config, async (store) => {
        const account = await createAccount(store, { ...options, name }, CLI_AUTHOR);
        return described(account, `Account ${name} is made, on ${planText(account)}.`);
      });
    }),
  );

  addCommand(accounts, 'list', { summary: 'list all accounts', example: 'accounts list' }).action(
    (_options, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async (store) => listed(await store.listAccounts())),
      ),
  );

  const setPlan = addCommand(accounts, 'set-plan', {
    summary: 'put an account on another plan',
    notes: 'The plan takes effect on the next request. Used requests of the windows stay used.',
    example: 'accounts set-plan shop --plan enterprise --per-minute 5000 --per-day 1000000',
  }).argument('<name>', 'name or id of the account');
  withDryRun(addPlanOptions(setPlan), 'the old and the new limits').action(
    (name: string, { dryRun, ...options }: PlanOptions & DryRunOption, command: Command) =>
      runCommand(command, (config) => {
        requireLimits(options, command);
        return withDatabase(config, async (store) => {
          const account = findAccount(await store.listAccounts(), name);
          const change = { plan: options.plan, limits: limitsOf(options) };
          if (dryRun) return previewPlan(store, account, { ...account, ...change });
          await store.updateAccount(account.id, change, CLI_AUTHOR);
          const changed = { ...account, ...change };
          return described(changed, `Account ${account.name} is now on ${planText(changed)}.`);
        });
      }),
  );
}

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
  if (limit < 1 || limit > HIGHEST_LIMIT) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${HIGHEST_LIMIT}.`);
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

async function previewPlan(store: AdminStore, account: Account, changed: Account): Promise<Output> {
  const nowMs = await store.now();
  const today = { unit: 'day', sinceMs: nowMs, untilMs: nowMs + USAGE_UNIT_MS.day } as const;
  const usedToday = (await store.usage.read(account.id, today))[0]?.requests ?? 0;
  const { perDay } = changed.limits;
  const used = `It has used ${count(usedToday, 'request')} today (UTC)`;
  const { id: _id, name: _name, createdAt: _createdAt, ...before } = toJson(account);
  return dryRunOutput(
    { ...toJson(changed), before, usedToday },
    [
      `Account ${account.name} is on ${planText(account)}.`,
      `It would be on ${planText(changed)}.`,
      usedToday < perDay
        ? `${used}.`
        : `${used}, and the new limit is ${thousands(perDay)}: its requests would be refused until midnight.`,
    ].join('\n'),
  );
}

function planText({ plan, limits }: Pick<Account, 'plan' | 'limits'>): string {
  return `plan ${plan}: ${thousands(limits.perMinute)} requests per minute, ${thousands(limits.perDay)} per day`;
}

function toJson({ id, name, plan, limits, createdAtMs }: Account) {
  return { id, name, plan, ...limits, createdAt: isoTime(createdAtMs) };
}

function described(account: Account, text: string): Output {
  return { value: toJson(account), text };
}

function listed(accounts: readonly Account[]): Output {
  const rows = accounts.map(({ name, plan, limits, id, createdAtMs }) => {
    return [name, plan, thousands(limits.perMinute), thousands(limits.perDay), readableTime(createdAtMs), id];
  });
  const text =
    rows.length === 0
      ? 'There are no accounts yet; petstore-server accounts create makes one.'
      : table(['NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'CREATED', 'ID'], rows);
  return { value: accounts.map(toJson), text };
}
