import type { KeyKind } from '../../../domain/access/api-key.ts';
import { requireKey } from '../../../domain/actions/keys.ts';
import { keyJson } from '../../../wire/key-json.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import {
  ADMIN_ERRORS,
  type AdminDefinition,
  adminOperation,
  missing,
  respondJson,
} from '../admin-operation.ts';
import { KIND_TEXTS, nounWithArticle } from './key-kinds.ts';
import { KEY_ID } from './key-schema.ts';

/** Defines `GET /KEYS/{keyId}` for the keys of a kind. */
export function getOperation(
  kind: KeyKind,
  { operationId }: { readonly operationId: string },
): AdminDefinition {
  const { tag, path, noun, schema } = KIND_TEXTS[kind];
  return adminOperation({
    route: {
      operationId,
      method: 'get',
      path: `${path}/{keyId}`,
      tags: [tag],
      summary: `Get ${nounWithArticle(noun)}`,
      description: `Returns one ${noun} without its secret.`,
      'x-stability': 'beta',
      parameters: [KEY_ID],
      responses: responses({
        success: { schema, description: 'The key.' },
        errors: { ...ADMIN_ERRORS, ...missing('key') },
      }),
    },
    role: 'viewer',
    create:
      ({ management }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const principal = await requireKey(management, parameter('keyId'), kind);
        return respondJson(context, 200, keyJson(principal, await management.now()));
      },
  });
}
