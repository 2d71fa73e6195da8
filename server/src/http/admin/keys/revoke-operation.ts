import type { KeyKind } from '../../../domain/access/api-key.ts';
import * as actions from '../../../domain/actions/keys.ts';
import { keyJson } from '../../../wire/key-json.ts';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import {
  ADMIN_ERRORS,
  type AdminDefinition,
  adminOperation,
  authorOf,
  missing,
  respondJson,
} from '../admin-operation.ts';
import { KIND_TEXTS, nounWithArticle } from './key-kinds.ts';
import { KEY_ID } from './key-schema.ts';

/** Defines `POST /KEYS/{keyId}/revoke` for the keys of a kind. */
export function revokeOperation(
  kind: KeyKind,
  { operationId }: { readonly operationId: string },
): AdminDefinition {
  const { tag, path, noun, schema } = KIND_TEXTS[kind];
  return adminOperation({
    route: {
      operationId,
      method: 'post',
      path: `${path}/{keyId}/revoke`,
      tags: [tag],
      summary: `Revoke ${nounWithArticle(noun)}`,
      description:
        'Revokes the key for good. Every instance refuses it within 5 seconds. A revoked key stays as it is.',
      'x-stability': 'beta',
      parameters: [KEY_ID],
      responses: responses({
        isAction: true,
        success: { schema, description: 'The revoked key.' },
        errors: { ...ADMIN_ERRORS, ...missing('key') },
      }),
    },
    role: 'administrator',
    create:
      ({ management }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const named = { keyId: parameter('keyId'), kind };
        const { principal } = await actions.revokeKey(management, named, authorOf(context));
        return respondJson(context, 200, keyJson(principal, await management.now()));
      },
  });
}
