import { z } from '@hono/zod-openapi';
import { requireKey } from '../../../domain/actions/keys.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, authorOf, missing, respondJson } from '../admin-operation.ts';
import { KEY_ID } from '../keys/key-schema.ts';

const LiftedBanSchema = z
  .object({
    keyId: z.string().openapi({ maxLength: 100, description: 'The key.', example: 'key_4fQ2n8Zk1bXw0aLr' }),
    lifted: z.boolean().openapi({ description: 'Whether the key was banned.', example: true }),
  })
  .openapi('LiftedBan', { description: 'Result of lifting a ban.' });

export const liftBan = adminOperation({
  route: {
    operationId: 'liftBan',
    method: 'post',
    path: '/keys/{keyId}/lift-ban',
    tags: ['Keys'],
    summary: 'Lift the ban of an API key',
    description:
      'Ends the running ban of the key. Its earlier bans are forgiven too: the next ban is as short as a first one.',
    'x-stability': 'beta',
    parameters: [KEY_ID],
    responses: responses({
      isAction: true,
      success: { schema: LiftedBanSchema, description: 'Whether there was a ban.' },
      errors: { ...ADMIN_ERRORS, ...missing('key') },
    }),
  },
  role: 'administrator',
  create:
    ({ management }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const { key } = await requireKey(management, parameter('keyId'));
      const lifted = await management.bans.lift(key.id, await management.now(), authorOf(context));
      return respondJson(context, 200, { keyId: key.id, lifted });
    },
});
