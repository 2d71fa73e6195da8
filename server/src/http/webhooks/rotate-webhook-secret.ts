import { z } from '@hono/zod-openapi';
import { withSecretJson } from '../../wire/webhook-json.ts';
import { ACTION_CONFLICT } from '../openapi/error-responses.ts';
import { responses } from '../openapi/responses.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../request/json-body.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { endpointIdParameter, respond } from './endpoint-handler.ts';
import { WithSecretSchema } from './endpoint-schema.ts';
import { ENDPOINT_BODY_ERRORS, ENDPOINT_ID, ENDPOINT_PATH } from './webhook-document.ts';
import { webhookOperation } from './webhook-operation.ts';
import { authorOf, changed, type OwnerOf } from './webhook-services.ts';

const DEFAULT_OVERLAP_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * 86_400;
const RULE = `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}.`;

const RotationSchema = z
  .strictObject(
    {
      overlapSeconds: z
        .int(RULE)
        .min(0, RULE)
        .max(MAX_OVERLAP_SECONDS, RULE)
        .openapi({
          format: 'int32',
          description: `For how long the old secret signs too; ${DEFAULT_OVERLAP_SECONDS} by default.`,
          example: DEFAULT_OVERLAP_SECONDS,
        })
        .optional(),
    },
    { error: 'must be a JSON object, or missing.' },
  )
  .openapi('WebhookSecretRotation', { description: 'How to replace a secret.' });

const BODY = { schema: RotationSchema, maxBytes: MAX_BODY_BYTES };

export const rotateWebhookSecret = (ownerOf: OwnerOf) =>
  webhookOperation({
    route: {
      operationId: 'rotateWebhookSecret',
      method: 'post',
      path: `${ENDPOINT_PATH}/rotate`,
      tags: ['Webhooks'],
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Makes a new secret, which is not shown again. Until the overlap has passed, each message has a signature of both secrets. A rotation during the overlap of another one is a `conflict`, unless its `overlapSeconds` is 0, which ends both secrets now.',
      'x-stability': 'beta',
      parameters: [ENDPOINT_ID],
      request: { body: { required: false, content: { 'application/json': { schema: RotationSchema } } } },
      responses: responses({
        success: { schema: WithSecretSchema, description: 'The endpoint and its new secret.' },
        isAction: true,
        errors: { ...ENDPOINT_BODY_ERRORS, 409: ACTION_CONFLICT },
      }),
    },
    create: (services) => async (context, parameter) => {
      requireNoQuery(context);
      const id = endpointIdParameter(parameter('endpointId'));
      const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = (await readOptionalJsonBody(context, BODY)) ?? {};
      const { webhooks } = services.management;
      const rotated = webhooks.rotateSecret(id, overlapSeconds * 1_000, authorOf(context), ownerOf(context));
      return respond(context, 200, withSecretJson(await changed(services, rotated)));
    },
  });
