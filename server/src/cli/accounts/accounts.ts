import type { Command } from 'commander';
import { createAccount } from '../../domain/actions/accounts.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { addCommand, addGroup } from '../command.ts';
import { parseName } from '../parse-name.ts';
import { runCommand } from '../terminal/output.ts';
import { withDatabase } from '../with-database.ts';
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
  addPlanOptions(create).action((name: string, options: PlanOptions, command: Command) =>
    runCommand(command, (config) => {
      requireLimits(options, command);
      const make = async (store: AdminStore) => {
        const account = await createAccount(store, { ...options, name }, CLI_AUTHOR);
        return describeAccount(account, `Account ${name} is made, on ${planText(account)}.`);
      };
      return withDatabase(config, make, { sample: 'refuse' });
    }),
  );

  addCommand(accounts, 'list', { summary: 'list all accounts', example: 'accounts list' }).action(
    (_options, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async (store) => describeAccounts(await store.accounts.list())),
      ),
  );

  addSetPlan(accounts);
  addUsage(accounts);
}
