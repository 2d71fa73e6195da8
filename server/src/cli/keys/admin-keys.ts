import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import type { Principal } from '../../domain/access/principal.ts';
import { keyState } from '../../domain/actions/keys.ts';
import { operatorKeyJson } from '../../wire/key-json.ts';
import { addCommand } from '../command.ts';
import { withYes, type YesOptions } from '../confirm.ts';
import { parseName } from '../options.ts';
import type { Output } from '../output.ts';
import { paint, shownTable } from '../output.ts';
import { type Moment, parseExpiry, shownTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { confirmSameName, createKey, describeNewKey } from './new-key.ts';
import { addRotateAndRevoke } from './rotate-key.ts';

interface CreateOptions extends YesOptions {
  readonly role: Role;
  readonly name?: string;
  readonly expires?: Moment;
}

/** Adds the commands for management keys. */
export function addAdminKeys(program: Command): void {
  const keys = addGroup(program, 'admin-keys', 'keys for the management API');

  const create = addCommand(keys, 'create', {
    summary: 'make a management key, and show it once',
    notes: 'A viewer reads; staff also changes stock, orders and pets; an administrator does everything.',
    example: 'admin-keys create --role viewer --name dashboard --expires 90d',
  });
  withYes(create, 'make it although a key has the name; required without a terminal')
    .addOption(new Option('--role <role>', 'what the key may do').choices(ROLES).makeOptionMandatory())
    .option('--name <text>', 'the purpose of the key', parseName)
    .option(
      '--expires <time>',
      'when it expires: 2027-12-31T23:59:59Z, or 90d for 90 days from now',
      parseExpiry,
    )
    .action(
      databaseCommand(async ({ store, config }, options: CreateOptions) => {
        await confirmSameName(store, { name: options.name, accountId: null }, options);
        const { secret, principal } = await createKey(config, store, {
          role: options.role,
          name: options.name ?? options.role,
          scopes: null,
          expiresAtMs: options.expires?.(await store.now()) ?? null,
        });
        return describeNewKey(secret, principal);
      }),
    );

  addCommand(keys, 'list', {
    summary: 'list management keys, without their secrets',
    example: 'admin-keys list',
  })
    .option('--search <text>', 'only those with the text in name, id or hint')
    .action(
      databaseCommand(async ({ store }, { search: words }: { search?: string }) => {
        const query = { kind: 'management', ...(words !== undefined && { words }) } as const;
        return listAdminKeys(await store.keys.list(query), await store.now());
      }),
    );

  addRotateAndRevoke(keys, 'management');
}

function listAdminKeys(principals: readonly Principal[], nowMs: number): Output {
  const rows = principals.map(({ key }) => [
    key.id,
    key.hint,
    `${key.role}`,
    key.name,
    paint.state(keyState(key, nowMs)),
    shownTime(key.expiresAtMs),
    shownTime(key.lastUsedAtMs),
  ]);
  const text =
    rows.length === 0
      ? 'There are no management keys; petstore-server admin-keys create makes one.'
      : shownTable(['ID', 'KEY', 'ROLE', 'NAME', 'STATE', 'EXPIRES', 'LAST USED'], rows);
  return { value: principals.map((principal) => operatorKeyJson(principal, nowMs)), text };
}
