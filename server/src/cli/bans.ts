import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import { requireKey } from '../domain/actions/keys.ts';
import type { BanRow } from '../domain/admin-store.ts';
import { CLI_AUTHOR } from '../domain/management/activity.ts';
import { banMembers } from '../wire/key-json.ts';
import { addCommand } from './command.ts';
import type { Output } from './output.ts';
import { shownTable } from './output.ts';
import { shownTime } from './parse-time.ts';
import { databaseCommand } from './with-database.ts';

/** Adds the commands for temporary bans of API keys. */
export function addBans(program: Command): void {
  const bans = addGroup(program, 'bans', 'temporary bans of API keys');

  addCommand(bans, 'list', { summary: 'list the running bans', example: 'bans list' }).action(
    databaseCommand(async ({ store }) => listBans(await store.bans.list(await store.now()))),
  );

  addCommand(bans, 'lift', {
    summary: 'end the ban of an API key',
    notes: 'Its earlier bans are forgiven too: the next ban is as short as a first one.',
    example: 'bans lift key_4fQ2n8Zk1bXw0aLr',
  })
    .argument('<key-id>', 'id of the key, as bans list shows it')
    .action(
      databaseCommand(async ({ store }, keyId: string) => {
        const { key } = await requireKey(store, keyId);
        const lifted = await store.bans.lift(keyId, await store.now(), CLI_AUTHOR);
        const text = lifted ? 'is no longer banned' : 'was not banned, so nothing was lifted';
        return { value: { keyId, lifted }, text: `Key ${keyId} (${key.hint}) ${text}.` };
      }),
    );
}

function listBans(bans: readonly BanRow[]): Output {
  const rows = bans.map((ban) => [
    ban.keyId,
    ban.keyHint,
    ban.accountName,
    thousands(ban.level),
    shownTime(ban.bannedAtMs),
    shownTime(ban.endsAtMs),
  ]);
  const text =
    rows.length === 0
      ? 'No key is banned.'
      : shownTable(['KEY ID', 'KEY', 'ACCOUNT', 'LEVEL', 'BANNED', 'UNTIL'], rows);
  return { value: bans.map(banMembers), text };
}
