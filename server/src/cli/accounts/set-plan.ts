import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import type { Command } from 'commander';
import type { Account } from '../../domain/access/api-key.ts';
import { limitsOf } from '../../domain/actions/accounts.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { USAGE_UNIT_MS } from '../../domain/management/usage.ts';
import { accountMembers } from '../../wire/account-json.ts';
import { addCommand } from '../command.ts';
import { type DryRunOption, dryRunOutput, withDryRun } from '../dry-run.ts';
import { count, type Output } from '../terminal/output.ts';
import { databaseCommand } from '../with-database.ts';
import { findAccount } from './find-account.ts';
import { describeAccount, planText } from './format-account.ts';
import { addPlanOptions, type PlanOptions, requireLimits } from './plan-options.ts';

/** Adds the command that changes the plan of an account. */
export function addSetPlan(accounts: Command): void {
  const setPlan = addCommand(accounts, 'set-plan', {
    summary: 'put an account on another plan',
    notes: 'The plan takes effect on the next request. Used requests of the windows stay used.',
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
