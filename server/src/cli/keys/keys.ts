import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { type Command, InvalidArgumentError } from 'commander';
import { SCOPES, type Scope } from '../../domain/access/api-key.ts';
import { findAccount } from '../accounts.ts';
import { addCommand } from '../command.ts';
import { withYes, type YesOptions } from '../confirm.ts';
import { parseName } from '../options.ts';
import { type Moment, parseExpiry } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { confirmSameName, createKey, describeNewKey, listKeys } from './new-key.ts';
import { addRotateAndRevoke } from './rotate-key.ts';

interface CreateOptions extends YesOptions {
  readonly account: string;
  readonly name?: string;
  readonly scope?: readonly Scope[];
  readonly expires?: Moment;
}

/** Adds the commands for API keys. */
export function addKeys(program: Command): void {
  const keys = addGroup(program, 'keys', 'API keys of accounts');
  addCreate(keys);
  addList(keys);
  addRotateAndRevoke(keys, 'client');
}

function addCreate(keys: Command): void {
  const create = addCommand(keys, 'create', {
    summary: 'make an API key, and show it once',
    notes: `Scopes: ${SCOPES.join(', ')}. Without --scope the key has all of them.`,
    example: 'keys create --account shop --name till --scope inventory:read --expires 90d',
  });
  withYes(create, 'make it although a key of the account has the name; required without a terminal')
    .requiredOption('--account <name>', 'name or id of the account whose quota it uses')
    .option('--name <text>', 'the purpose of the key', parseName)
    .option('--scope <scope>', 'what the key may do; repeatable, or separated by commas', collectScopes)
    .option(
      '--expires <time>',
      'when it expires: 2027-12-31T23:59:59Z, or 90d for 90 days from now',
      parseExpiry,
    )
    .action(
      databaseCommand(async ({ store, config }, options: CreateOptions) => {
        const account = findAccount(await store.accounts.list(), options.account);
        await confirmSameName(store, { name: options.name, accountId: account.id }, options);
        const { secret, principal } = await createKey(config, store, {
          accountId: account.id,
          name: options.name ?? account.name,
          scopes: options.scope ?? null,
          expiresAtMs: options.expires?.(await store.now()) ?? null,
        });
        return describeNewKey(secret, principal);
      }),
    );
}

function addList(keys: Command): void {
  addCommand(keys, 'list', {
    summary: 'list API keys, without their secrets',
    example: 'keys list --account shop',
  })
    .option('--account <name>', 'only those of one account')
    .option('--search <text>', 'only those with the text in name, id, hint or the name of the account')
    .action(
      databaseCommand(async ({ store }, options: { account?: string; search?: string }) => {
        const nowMs = await store.now();
        const found = options.search === undefined ? {} : { words: options.search };
        if (options.account === undefined) return listKeys(await store.keys.list(found), nowMs);
        const { id } = findAccount(await store.accounts.list(), options.account);
        return listKeys(await store.keys.list({ ...found, accountId: id }), nowMs);
      }),
    );
}

function collectScopes(text: string, earlier: readonly Scope[] = []): readonly Scope[] {
  const named = text.split(',').map((part) => {
    const scope = SCOPES.find((known) => known === part.trim());
    if (!scope) throw new InvalidArgumentError(`Give one of ${SCOPES.join(', ')}, with commas between them.`);
    return scope;
  });
  return [...new Set([...earlier, ...named])];
}
