import type { Command } from 'commander';
import { createAccount } from '../../domain/actions/accounts.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { addCommand, addGroup } from '../command.ts';
import { parseName } from '../parse-name.ts';
import { databaseCommand } from '../with-database.ts';
import { describeAccount, describeAccounts, planText } from './format-account.ts';
import { addPlanOptions, type PlanOptions, requireLimits } from './plan-options.ts';
import { addSetPlan } from './set-plan.ts';
import { addUsage } from './usage.ts';

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

  addCommand(accounts, 'list', { summary: 'list all accounts', example: 'accounts list' }).action(
    databaseCommand(async ({ store }) => describeAccounts(await store.accounts.list())),
  );

  addSetPlan(accounts);
  addUsage(accounts);
}
