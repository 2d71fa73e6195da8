import { PLAN_NAMES, type PlanName } from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { HIGHEST_LIMIT } from '../../domain/actions/accounts.ts';

export interface PlanOptions {
  readonly plan: PlanName;
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** Adds a plan with its limits. */
export function addPlanOptions(command: Command): Command {
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
export function requireLimits({ plan, perMinute, perDay }: PlanOptions, command: Command): void {
  if (plan === 'enterprise') {
    if (perMinute !== undefined && perDay !== undefined) return;
    command.error('error: the enterprise plan needs --per-minute and --per-day');
  }
  if (perMinute === undefined && perDay === undefined) return;
  command.error(
    `error: --per-minute and --per-day are for the enterprise plan only; the ${plan} plan has its own`,
  );
}
