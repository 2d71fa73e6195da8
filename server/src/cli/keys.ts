import { type Command, InvalidArgumentError } from 'commander';
import { SCOPES, type Scope } from '../domain/access/api-key.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { findAccount } from './accounts.ts';
import { addCommand, addGroup } from './command.ts';
import { createKey, rotateKey } from './create-key.ts';
import { describeNewKey, findKey, listKeys } from './format-key.ts';
import { parseName } from './parse-name.ts';
import { type Expiry, isoTime, parseExpiry, parseOverlapSeconds, readableTime } from './parse-time.ts';
import { type Output, runCommand } from './terminal/output.ts';
import { withDatabase } from './with-database.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;

interface CreateOptions {
  readonly account: string;
  readonly name?: string;
  readonly scope?: readonly Scope[];
  readonly expires?: Expiry;
}

interface RotateOptions {
  readonly overlap: number;
  readonly expires?: Expiry;
}

/** Adds the commands for API keys. */
export function addKeys(program: Command): void {
  const keys = addGroup(program, 'keys', 'API keys of accounts');
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addCreate(keys: Command): void {
  addCommand(keys, 'create', {
    summary: 'make an API key, and show it once',
    notes: `Scopes: ${SCOPES.join(', ')}. Without --scope the key has all of them.`,
    example: 'keys create --account shop --name till --scope inventory:read --expires 90d',
  })
    .requiredOption('--account <name>', 'name or id of the account whose quota it uses')
    .option('--name <text>', 'the purpose of the key', parseName)
    .option('--scope <scope>', 'what the key may do; repeatable, or separated by commas', collectScopes)
    .option(
      '--expires <time>',
      'when it expires: 2027-12-31T23:59:59Z, or 90d for 90 days from now',
      parseExpiry,
    )
    .action((options: CreateOptions, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async (store) => {
          const account = findAccount(await store.listAccounts(), options.account);
          const { secret, principal } = await createKey(config, store, {
            accountId: account.id,
            name: options.name ?? account.name,
            scopes: options.scope ?? null,
            expiresAtMs: options.expires?.(await store.now()) ?? null,
          });
          return describeNewKey(secret, principal);
        }),
      ),
    );
}

function addList(keys: Command): void {
  addCommand(keys, 'list', {
    summary: 'list API keys, without their secrets',
    example: 'keys list --account shop',
  })
    .option('--account <name>', 'only those of one account')
    .action((options: { account?: string }, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async (store) => {
          const principals = await store.listKeys();
          const nowMs = await store.now();
          if (options.account === undefined) return listKeys(principals, nowMs);
          const { id } = findAccount(await store.listAccounts(), options.account);
          return listKeys(
            principals.filter(({ account }) => account.id === id),
            nowMs,
          );
        }),
      ),
    );
}

function addRotate(keys: Command): void {
  addCommand(keys, 'rotate', {
    summary: 'replace an API key: a new one now, the old one works a while longer',
    notes:
      'The new key has the name, the scopes and the lifetime of the old one. The quota belongs to the account and does not change.',
    example: 'keys rotate key_4fQ2n8Zk1bXw0aLr --overlap 1d',
  })
    .argument('<key-id>', 'id of the key, as keys list shows it')
    .option(
      '--overlap <time>',
      'how long the old key still works: 0 to 7d',
      parseOverlapSeconds,
      DEFAULT_OVERLAP_SECONDS,
    )
    .option('--expires <time>', 'when the new key expires', parseExpiry)
    .action((keyId: string, options: RotateOptions, command: Command) =>
      runCommand(command, (config) =>
        withDatabase(config, async (store) => {
          const { secret, principal, oldExpiresAtMs } = await rotateKey(config, store, keyId, {
            overlapSeconds: options.overlap,
            expiresAtMs: options.expires?.(await store.now()),
          });
          const { value, text } = describeNewKey(secret, principal);
          return {
            value: { ...value, oldExpiresAt: isoTime(oldExpiresAtMs) },
            text: `${text}\n\nThe old key ${keyId} works until ${readableTime(oldExpiresAtMs)}.`,
          };
        }),
      ),
    );
}

function addRevoke(keys: Command): void {
  addCommand(keys, 'revoke', {
    summary: 'revoke an API key for good',
    notes: 'A running service refuses it within 5 seconds.',
    example: 'keys revoke key_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<key-id>', 'id of the key, as keys list shows it')
    .action((keyId: string, _options, command: Command) =>
      runCommand(command, (config) => withDatabase(config, (store) => revoke(store, keyId))),
    );
}

async function revoke(store: OpenedAdminStore, keyId: string): Promise<Output> {
  const { key } = findKey(await store.listKeys(), keyId);
  const revokedAtMs = key.revokedAtMs ?? (await store.now());
  if (key.revokedAtMs === null) await store.revokeKey(keyId, revokedAtMs);
  const when = key.revokedAtMs === null ? 'is revoked' : 'was revoked already';
  return {
    value: { id: keyId, revokedAt: isoTime(revokedAtMs) },
    text: `Key ${keyId} (${key.hint}) ${when}, ${readableTime(revokedAtMs)}.`,
  };
}

function collectScopes(text: string, earlier: readonly Scope[] = []): readonly Scope[] {
  const named = text.split(',').map((part) => {
    const scope = SCOPES.find((known) => known === part.trim());
    if (!scope) throw new InvalidArgumentError(`Allowed scopes are ${SCOPES.join(', ')}.`);
    return scope;
  });
  return [...new Set([...earlier, ...named])];
}
