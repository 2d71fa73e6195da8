import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import type { PlanName } from '@petstore-inventory/shared/words';
import { type Account, createId } from '../access/api-key.ts';
import { type Limits, PLAN_LIMITS } from '../access/plans.ts';
import type { AdminStore } from '../admin-store.ts';
import { OperatorError, validationFailed } from '../errors.ts';
import type { ActionAuthor } from '../management/activity.ts';

/** A plan, with the limits that only the enterprise plan takes. */
export interface PlanChoice {
  readonly plan: PlanName;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
}

/** The name of an account or a key without the spaces around it; `undefined` unless it is one line, and not too long. */
export function nameOf(text: string): string | undefined {
  const name = text.trim();
  return name === '' || !hasAtMost(name, MAX_NAME) || !isStorableLine(name) ? undefined : name;
}

/** @throws OperatorError `validation_failed` when the plan needs limits of its own, or takes none. */
export function limitsOf({ plan, perMinute, perDay }: PlanChoice): Limits {
  if (plan === 'enterprise') {
    if (perMinute !== undefined && perDay !== undefined) return { perMinute, perDay };
    throw validationFailed('The enterprise plan needs both limits, per minute and per day.');
  }
  if (perMinute === undefined && perDay === undefined) return PLAN_LIMITS[plan];
  throw validationFailed(`Limits are for the enterprise plan only; the ${plan} plan has its own.`);
}

/** @throws OperatorError `conflict` when another account has the name. */
export async function createAccount(
  store: Pick<AdminStore, 'now' | 'accounts'>,
  { name, ...choice }: PlanChoice & { readonly name: string },
  author: ActionAuthor,
): Promise<Account> {
  const limits = limitsOf(choice);
  const account = { id: createId('acc'), name, plan: choice.plan, limits, createdAtMs: await store.now() };
  await store.accounts.create(account, author);
  return account;
}

/** @throws OperatorError `not_found`. */
export async function requireAccount(
  store: Pick<AdminStore, 'accounts'>,
  accountId: string,
): Promise<Account> {
  const account = await store.accounts.find(accountId);
  if (account) return account;
  throw new OperatorError(`There is no account ${JSON.stringify(accountId)}.`, { code: 'not_found' });
}
