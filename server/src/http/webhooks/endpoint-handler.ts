import { z } from '@hono/zod-openapi';
import { ApiError } from '../../domain/errors.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Answer } from '../../listen/exchange.ts';
import { endpointJson } from '../../wire/webhook-json.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import { MAX_BODY_BYTES, readOptionalJsonBody } from '../request/json-body.ts';
import type { Handler } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import type { RequestContext } from '../request/request-context.ts';
import { changed, type OwnerOf, type WebhookServices } from './webhook-services.ts';

const ENDPOINT_ID = /^whe_[0-9A-Za-z]{16}$/;
const NOTHING = {
  schema: z.strictObject({}, { error: 'must be a JSON object, or missing.' }),
  maxBytes: MAX_BODY_BYTES,
};

/** The id of an endpoint in a path. */
export function endpointIdParameter(text: string): string {
  if (ENDPOINT_ID.test(text)) return text;
  throw new ApiError('invalid_parameter', 'endpointId must be such as whe_4fQ2n8Zk1bXw0aLr.');
}

/** A response with JSON that no cache stores: it has secrets, or a state that changes with each delivery. */
export function respond(
  context: RequestContext,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return context.respond(status, body, {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/** Reads the body of a change that has none, or an object without members. */
export async function readNoBody(context: RequestContext): Promise<void> {
  await readOptionalJsonBody(context, NOTHING);
}

/** A handler of a change without parameters, which responds with the endpoint after it. */
export function bareChange(
  services: WebhookServices,
  ownerOf: OwnerOf,
  change: (id: string, context: RequestContext, accountId: string | undefined) => Promise<WebhookEndpoint>,
): Handler {
  return async (context, parameter) => {
    requireNoQuery(context);
    const id = endpointIdParameter(parameter('endpointId'));
    await readNoBody(context);
    return respond(
      context,
      200,
      endpointJson(await changed(services, change(id, context, ownerOf(context)))),
    );
  };
}
