import type { Account } from '../../domain/access/api-key.ts';
import { OperatorError } from '../../domain/errors.ts';

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
