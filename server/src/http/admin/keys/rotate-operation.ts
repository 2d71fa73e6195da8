import { z } from '@hono/zod-openapi';
import type { KeyKind } from '../../../domain/access/api-key.ts';
import * as actions from '../../../domain/actions/keys.ts';
import { timestampOrNull } from '../../../domain/timestamps.ts';
import { madeKeyJson } from '../../../wire/key-json.ts';
import { CREATED_AT } from '../../openapi/headers.ts';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import {
  ACTION_ERRORS,
  type AdminDefinition,
  adminOperation,
  authorOf,
  missing,
  respondJson,
} from '../admin-operation.ts';
import { bodyObject, ruled, timeField } from '../fields.ts';
import { expiryOf } from './key-actions.ts';
import { KIND_TEXTS, nounWithArticle } from './key-kinds.ts';
import { KEY_ID } from './key-schema.ts';

const OVERLAP_RULE = `must be a whole number from 0 to ${actions.MAX_OVERLAP_SECONDS}.`;

const schema = bodyObject({
  overlapSeconds: z
    .int(ruled(OVERLAP_RULE))
    .min(0, OVERLAP_RULE)
    .max(actions.MAX_OVERLAP_SECONDS, OVERLAP_RULE)
    .optional()
    .openapi({
      format: 'int32',
      description: `How long the old key still works; ${actions.DEFAULT_OVERLAP_SECONDS} by default.`,
      example: 3_600,
    }),
  expiresAt: timeField('When the new key expires; by default it lives as long as the old one.').optional(),
}).openapi('KeyRotation', { description: 'How to rotate a key.', example: { overlapSeconds: 3_600 } });

/** Defines `POST /KEYS/{keyId}/rotate` for the keys of a kind. */
export function rotateOperation(
  kind: KeyKind,
  { operationId }: { readonly operationId: string },
): AdminDefinition {
  const { tag, path, noun, kept, rotated } = KIND_TEXTS[kind];
  return adminOperation({
    route: {
      operationId,
      method: 'post',
      path: `${path}/{keyId}/rotate`,
      tags: [tag],
      summary: `Rotate ${nounWithArticle(noun)}`,
      description: `Creates a key with the name and ${kept} of the old one, which works until the overlap ends. Only this response has the secret of the new key. A key that does not work, or was rotated before, is a \`conflict\`.`,
      'x-stability': 'beta',
      parameters: [KEY_ID],
      request: { body: { content: { 'application/json': { schema } } } },
      responses: responses({
        isAction: true,
        status: 201,
        success: { schema: rotated, description: 'The new key.', headers: CREATED_AT },
        errors: { ...ACTION_ERRORS, ...missing('key') },
      }),
    },
    role: 'administrator',
    create:
      ({ management, secrets, baseUrl }) =>
      async (context, parameter) => {
        requireNoQuery(context);
        const named = { keyId: parameter('keyId'), kind };
        const body = await readOptionalJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
        const options = {
          overlapSeconds: body?.overlapSeconds ?? actions.DEFAULT_OVERLAP_SECONDS,
          expiresAtMs: expiryOf(body?.expiresAt, await management.now()),
        };
        const made = await actions.rotateKey(management, secrets, named, options, authorOf(context));
        const json = { ...madeKeyJson(made), oldExpiresAt: timestampOrNull(made.oldExpiresAtMs) };
        return respondJson(context, 201, json, { Location: `${baseUrl}${path}/${made.principal.key.id}` });
      },
  });
}
