import { z } from '@hono/zod-openapi';
import { requireKey } from '../../../domain/actions/keys.ts';
import type { ManagementStore } from '../../../domain/admin-store.ts';
import { banMembers } from '../../../wire/key-json.ts';
import { operationsWith } from '../../operation/operation.ts';
import { one, page, pageOf, view } from '../../operation/output.ts';
import { oneMore, PAGE } from '../../operation/parameter.ts';
import { moment, text, wholeNumber } from '../../schemas/values.ts';
import { KEY_ID } from './key-views.ts';

const operation = operationsWith<{ readonly management: ManagementStore }>({
  tag: 'Keys',
});

const RUNNING_BAN = view(
  'RunningBan',
  z
    .object({
      keyId: text(100, 'The banned key.', 'key_4fQ2n8Zk1bXw0aLr'),
      hint: text(50, 'Enough of the key to recognise it.', 'psk_live_…x7Qa'),
      account: text(100, 'The name of its account.', 'shop'),
      level: wholeNumber('The number of bans in a row; each is longer than the one before.', 1),
      bannedAt: moment('When the ban began.'),
      endsAt: moment('When it ends.'),
    })
    .openapi({ description: 'A temporary ban of an API key.' }),
  banMembers,
);

export const listBans = operation({
  id: 'listBans',
  at: 'GET /bans',
  summary: 'List running bans',
  description:
    'Returns the running bans in the order of the ids of their keys. Follow `Link` with `rel="next"` until it is missing.',
  access: { role: 'viewer' },
  query: PAGE,
  output: page(RUNNING_BAN, { description: 'Bans.' }),
  handle: async ({ management }, { query }) => {
    const bans = await management.bans.list(await management.now(), oneMore(query));
    return pageOf(bans, query.limit, ({ keyId }) => keyId);
  },
});

const LIFTED_BAN = view(
  'LiftedBan',
  z
    .object({
      keyId: z.string().openapi({ maxLength: 100, description: 'The key.', example: 'key_4fQ2n8Zk1bXw0aLr' }),
      lifted: z.boolean().openapi({ description: 'Whether the key was banned.', example: true }),
    })
    .openapi({ description: 'Result of lifting a ban.' }),
  (result: { readonly keyId: string; readonly lifted: boolean }) => result,
);

export const liftBan = operation({
  id: 'liftBan',
  at: 'POST /keys/{keyId}/lift-ban',
  summary: 'Lift the ban of an API key',
  description:
    'Ends the running ban of the key. Its earlier bans are forgiven too: the next ban is as short as a first one.',
  access: { role: 'administrator' },
  path: { keyId: KEY_ID },
  output: one(LIFTED_BAN, { description: 'Whether there was a ban.' }),
  missing: 'key',
  handle: async ({ management }, { path, author }) => {
    const { key } = await requireKey(management, path.keyId);
    return { keyId: key.id, lifted: await management.bans.lift(key.id, await management.now(), author) };
  },
});
