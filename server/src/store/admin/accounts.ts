import type { Account } from '../../domain/access/api-key.ts';
import type { Limits } from '../../domain/access/plans.ts';
import { limitsOf } from '../../domain/actions/accounts.ts';
import type { AccountChange, NewAccount } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { recordAction } from './activity.ts';
import type { AdminEngine } from './admin-engine.ts';
import { ADMIN } from './statements.ts';

interface AccountRow extends Limits, Omit<Account, 'limits'> {}

export function createAccount(
  engine: AdminEngine,
  { id, name, plan, limits, createdAtMs }: NewAccount,
  author: ActionAuthor,
): Promise<void> {
  return withUniqueName(engine, name, async () => {
    const values = [id, name, plan, limits.perMinute, limits.perDay, createdAtMs];
    await engine.run(ADMIN.createAccount, values);
    if (engine.dialect.insertUsage) await engine.run(engine.dialect.insertUsage, [id]);
    const details = { name, plan, ...limits };
    await recordAction(engine, author, { action: 'accounts.create', target: id, details });
  });
}

export async function listAccounts(
  engine: AdminEngine,
  {
    after = null,
    limit = Number.MAX_SAFE_INTEGER,
  }: { readonly after?: string | null; readonly limit?: number },
): Promise<readonly Account[]> {
  return (await engine.all<AccountRow>(ADMIN.accounts(engine.dialect), [after, limit])).map(toAccount);
}

export async function findAccount(engine: AdminEngine, accountId: string): Promise<Account | undefined> {
  const [row] = await engine.all<AccountRow>(ADMIN.account, [accountId]);
  return row && toAccount(row);
}

export function updateAccount(
  engine: AdminEngine,
  accountId: string,
  { name, perMinute, perDay, ...choice }: AccountChange,
  author: ActionAuthor,
): Promise<Account> {
  return withUniqueName(engine, name, async () => {
    // Locked, so that no other change of the plan comes between this look and the change.
    const [row] = await engine.all<AccountRow>(`${ADMIN.account} ${engine.dialect.forUpdate}`, [accountId]);
    if (!row) throw new OperatorError(`There is no account ${accountId}.`, { code: 'not_found' });
    const before = toAccount(row);
    const { plan = before.plan } = choice;
    const hasPlan = choice.plan !== undefined || perMinute !== undefined || perDay !== undefined;
    const limits = hasPlan ? limitsOf({ plan, perMinute, perDay }) : before.limits;
    const after = { ...before, name: name ?? before.name, plan, limits };
    await engine.run(ADMIN.updateAccount, [accountId, after.name, plan, limits.perMinute, limits.perDay]);
    const details = { name, ...(hasPlan && { plan, ...limits }) };
    await recordAction(engine, author, { action: 'accounts.update', target: accountId, details });
    return after;
  });
}

/** @throws OperatorError `conflict` when another account has the name. */
async function withUniqueName<T>(
  engine: AdminEngine,
  name: string | undefined,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await engine.transaction(change);
  } catch (error) {
    if (!engine.isDuplicate(error)) throw error;
    throw new OperatorError(`There is an account named ${JSON.stringify(name)} already.`);
  }
}

function toAccount({ perMinute, perDay, ...account }: AccountRow): Account {
  return { ...account, limits: { perMinute, perDay } };
}
