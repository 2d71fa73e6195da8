import { z } from '@hono/zod-openapi';
import { banMembers } from '../../../wire/key-json.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_PAGE_ITEMS } from '../../request/query-parameters.ts';
import { moment, text, wholeNumber } from '../../schemas/values.ts';
import { ADMIN_ERRORS, adminOperation } from '../admin-operation.ts';
import { PAGE_HEADERS, PAGE_PARAMETERS, readPage, respondPage } from '../paging.ts';

const RunningBanSchema = z
  .object({
    keyId: text(100, 'The banned key.', 'key_4fQ2n8Zk1bXw0aLr'),
    hint: text(50, 'Enough of the key to recognise it.', 'psk_live_…x7Qa'),
    account: text(100, 'The name of its account.', 'shop'),
    level: wholeNumber('The number of bans in a row; each is longer than the one before.', 1),
    bannedAt: moment('When the ban began.'),
    endsAt: moment('When it ends.'),
  })
  .openapi('RunningBan', { description: 'A temporary ban of an API key.' });

export const listBans = adminOperation({
  route: {
    operationId: 'listBans',
    method: 'get',
    path: '/bans',
    tags: ['Keys'],
    summary: 'List running bans',
    description:
      'Returns the running bans in the order of the ids of their keys. Follow `Link` with `rel="next"` until it is missing.',
    'x-stability': 'beta',
    parameters: [...PAGE_PARAMETERS],
    responses: responses({
      success: {
        schema: z.array(RunningBanSchema).openapi({ maxItems: MAX_PAGE_ITEMS }),
        description: 'Bans.',
        headers: PAGE_HEADERS,
      },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management, baseUrl }) =>
    async (context) => {
      const page = readPage(context);
      const bans = await management.bans.list(await management.now(), {
        limit: page.limit + 1,
        ...(page.after !== undefined && { after: page.after }),
      });
      return respondPage(context, page, bans, {
        address: `${baseUrl}/bans`,
        idOf: ({ keyId }) => keyId,
        json: banMembers,
      });
    },
});
