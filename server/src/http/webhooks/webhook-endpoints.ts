import { z } from '@hono/zod-openapi';
import { includesRole } from '../../domain/access/roles.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../../domain/actions/keys.ts';
import { parseEventId } from '../../domain/webhooks/events.ts';
import {
  MAX_LOGGED_ATTEMPTS,
  shownUrl,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts';
import type { WebhookSending, WebhookStore } from '../../domain/webhooks/webhook-store.ts';
import { CONFLICT, errorComponent, HISTORY_PRUNED } from '../openapi/error-responses.ts';
import { header } from '../openapi/headers.ts';
import { body, EMPTY, optionalBody, patch } from '../operation/body.ts';
import { type Call, operationsWith } from '../operation/operation.ts';
import { list, located, nothing, one, page, pageOf } from '../operation/output.ts';
import { matching, oneMore, PAGE, Parameter } from '../operation/parameter.ts';
import { ACCOUNT_ID } from '../schemas/values.ts';
import {
  changesOf,
  EndpointChangesSchema,
  EndpointForAccountSchema,
  type NewEndpoint,
  NewEndpointSchema,
  READING,
} from './endpoint-body.ts';
import { ATTEMPT, ENDPOINT, ENDPOINT_ID_PARAMETER, EVENT_ID, WITH_SECRET } from './endpoint-views.ts';

/** What the handlers of webhook endpoints need. */
export interface WebhookServices {
  readonly management: { readonly webhooks: WebhookStore };
  readonly webhooks: WebhookSending;
  /** Per account. */
  readonly maxWebhookEndpoints: number;
}

/** Endpoints belong to an account: a client has those of its own, and a manager those of all accounts. */
const operation = operationsWith<WebhookServices>({ tag: 'Webhooks' });

const READ = { scope: 'webhooks:manage', role: 'viewer' } as const;
const CHANGE = { scope: 'webhooks:manage', role: 'administrator' } as const;
const ONE = { path: { endpointId: ENDPOINT_ID_PARAMETER }, missing: 'webhook endpoint' };

const CURRENT = one(ENDPOINT, { response: 'Endpoint', description: 'The endpoint as it is now.' });

/** The result of a change, after which the sender of this process reads the endpoints. */
async function changed<T>({ webhooks }: WebhookServices, action: Promise<T>): Promise<T> {
  const result = await action;
  webhooks.wake();
  return result;
}

/** Values of a query, which may be tokens of the receiver, are only for its account and for those who can change it. */
function seenBy({ context }: Pick<Call, 'context'>, endpoint: WebhookEndpoint): WebhookEndpoint {
  const role = context.principal?.key.role ?? null;
  const isFull = role === null || includesRole(role, 'administrator');
  return isFull ? endpoint : { ...endpoint, url: shownUrl(endpoint.url) };
}

const LISTING = {
  id: 'listWebhookEndpoints',
  at: 'GET /webhook-endpoints',
  summary: 'List webhook endpoints',
} as const;

export const listWebhookEndpoints = operation({
  ...LISTING,
  description: 'Returns all endpoints of the account, ascending by id.',
  access: { scope: 'webhooks:manage', role: null },
  output: list(ENDPOINT, { description: 'The endpoints.' }),
  handle: ({ management }, { accountId }) => management.webhooks.list({ accountId }),
});

export const listAllWebhookEndpoints = operation({
  ...LISTING,
  description:
    'Returns endpoints of all accounts or of one, ascending by id. Only administrators see the values of the query of a `url`, which may be tokens.',
  access: { role: 'viewer' },
  query: {
    accountId: matching(ACCOUNT_ID, 'must be such as acc_7dM3kPq9sTv2Wx5Y.', {
      component: 'WebhookAccountFilter',
      description: 'Only endpoints of this account.',
      schema: { type: 'string', pattern: ACCOUNT_ID.source },
    }).optional(),
    ...PAGE,
  },
  output: page(ENDPOINT, { description: 'The endpoints.' }),
  handle: async ({ management }, call) => {
    const { accountId, limit } = call.query;
    const endpoints = await management.webhooks.list({ accountId, ...oneMore(call.query) });
    const seen = endpoints.map((endpoint) => seenBy(call, endpoint));
    return pageOf(seen, limit, ({ id }) => id);
  },
});

const CREATION = {
  id: 'createWebhookEndpoint',
  at: 'POST /webhook-endpoints',
  summary: 'Make a webhook endpoint',
  description:
    'Sends all events from now on to a URL, in order and at least once. The response has the secret that signs them; it is not shown again. A request that is sent twice makes two endpoints.',
  output: one(WITH_SECRET, {
    status: 201,
    description: 'The endpoint and its secret.',
    headers: [
      located(
        ({ endpoint }) => `/webhook-endpoints/${endpoint.id}`,
        header('Location', 'WebhookEndpointLocation', {
          description: 'The address of the endpoint.',
          required: true,
          schema: { type: 'string', format: 'uri' },
        }),
      ),
    ],
  }),
  errors: {
    409: errorComponent('TooManyWebhookEndpoints', {
      description: 'The account has the maximum of endpoints.',
      codes: ['conflict'],
    }),
  },
} as const;

export const createWebhookEndpoint = operation({
  ...CREATION,
  access: { scope: 'webhooks:manage', role: null },
  body: body(NewEndpointSchema, READING),
  handle: (services, call) => create(services, call, { ...call.body, accountId: call.accountId as string }),
});

/** The operation of clients, for an account that the body names. */
export const createWebhookEndpointFor = operation({
  ...CREATION,
  access: { role: 'administrator' },
  body: body(EndpointForAccountSchema, READING),
  missing: 'account',
  handle: (services, call) => create(services, call, call.body),
});

function create(
  services: WebhookServices,
  { author }: Pick<Call, 'author'>,
  { accountId, ...members }: NewEndpoint & { readonly accountId: string },
) {
  const { management, webhooks, maxWebhookEndpoints } = services;
  const endpoint = { ...changesOf(members, webhooks), url: members.url, accountId };
  return changed(services, management.webhooks.create(endpoint, maxWebhookEndpoints, author));
}

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  at: 'GET /webhook-endpoints/{endpointId}',
  summary: 'Get a webhook endpoint',
  description: 'Returns an endpoint and the state of its deliveries, without its secret.',
  access: READ,
  ...ONE,
  output: CURRENT,
  handle: async ({ management }, call) =>
    seenBy(call, await management.webhooks.find(call.path.endpointId, call.accountId)),
});

export const updateWebhookEndpoint = operation({
  id: 'updateWebhookEndpoint',
  at: 'PATCH /webhook-endpoints/{endpointId}',
  summary: 'Change a webhook endpoint',
  description:
    'Sets the given members. A filter applies to the events that are not delivered yet, also to those before the change. After a change of the URL the next attempt does not wait. Attempts that begin within 5 seconds of the change may still be as before it.',
  access: CHANGE,
  ...ONE,
  body: patch(EndpointChangesSchema, READING),
  output: CURRENT,
  handle: (services, { path, body: changes, author, accountId }) => {
    const { management, webhooks } = services;
    const values = changesOf(changes, webhooks);
    return changed(services, management.webhooks.update(path.endpointId, values, author, accountId));
  },
});

export const deleteWebhookEndpoint = operation({
  id: 'deleteWebhookEndpoint',
  at: 'DELETE /webhook-endpoints/{endpointId}',
  summary: 'Delete a webhook endpoint',
  description: 'Ends its deliveries within 5 seconds, and deletes its secret and its log.',
  access: CHANGE,
  ...ONE,
  output: nothing('The endpoint is deleted.', 'WebhookEndpointDeleted'),
  handle: (services, { path, author, accountId }) =>
    changed(services, services.management.webhooks.delete(path.endpointId, author, accountId)),
});

const OVERLAP_RULE = `must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}.`;

const RotationSchema = z
  .strictObject(
    {
      overlapSeconds: z
        .int(OVERLAP_RULE)
        .min(0, OVERLAP_RULE)
        .max(MAX_OVERLAP_SECONDS, OVERLAP_RULE)
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

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  at: 'POST /webhook-endpoints/{endpointId}/rotate',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Makes a new secret, which is not shown again. Until the overlap has passed, each message has a signature of both secrets. A rotation during the overlap of another one is a `conflict`, unless its `overlapSeconds` is 0, which ends both secrets: messages have the new one alone within 5 seconds.',
  access: CHANGE,
  ...ONE,
  body: optionalBody(RotationSchema),
  output: one(WITH_SECRET, { description: 'The endpoint and its new secret.' }),
  errors: CONFLICT,
  handle: (services, { path, body: rotation, author, accountId }) => {
    const { webhooks } = services.management;
    const overlapMs = (rotation?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1_000;
    return changed(services, webhooks.rotateSecret(path.endpointId, overlapMs, author, accountId));
  },
});

export const pauseWebhookEndpoint = operation({
  id: 'pauseWebhookEndpoint',
  at: 'POST /webhook-endpoints/{endpointId}/pause',
  summary: 'Pause a webhook endpoint',
  description:
    'Sends nothing, from 5 seconds later at the latest, until it is resumed. Its place among the events is kept. Pausing it again changes nothing.',
  access: CHANGE,
  ...ONE,
  body: EMPTY,
  output: CURRENT,
  handle: (services, { path, author, accountId }) =>
    changed(services, services.management.webhooks.pause(path.endpointId, author, accountId)),
});

export const resumeWebhookEndpoint = operation({
  id: 'resumeWebhookEndpoint',
  at: 'POST /webhook-endpoints/{endpointId}/resume',
  summary: 'Resume a webhook endpoint',
  description:
    'Continues after the last event that was delivered. An endpoint that fails gets its next attempt within 5 seconds, and its failures are counted from the start. Resuming one that is neither paused nor failing changes nothing.',
  access: CHANGE,
  ...ONE,
  body: EMPTY,
  output: CURRENT,
  handle: (services, { path, author, accountId }) =>
    changed(services, services.management.webhooks.resume(path.endpointId, author, accountId)),
});

export const testWebhookEndpoint = operation({
  id: 'testWebhookEndpoint',
  at: 'POST /webhook-endpoints/{endpointId}/test',
  summary: 'Send a test message',
  description:
    'Sends a `webhook.test` immediately, also to a paused endpoint, and returns the attempt. It waits for the response, for 10 seconds at most. Events are not affected. An account has at most 16 tests in progress; another one is a `conflict`.',
  access: CHANGE,
  ...ONE,
  body: EMPTY,
  output: one(ATTEMPT, { description: 'The attempt, successful or not.' }),
  errors: CONFLICT,
  handle: async ({ management, webhooks }, { path: { endpointId }, author, accountId }) => {
    const endpoint = await management.webhooks.find(endpointId, accountId);
    const readNow = () => management.webhooks.findWithSecrets(endpointId, accountId);
    const attempt = await webhooks.sendTest(endpoint, readNow);
    return management.webhooks.logAttempt(endpointId, 'test', attempt, author, accountId);
  },
});

/** An event that a request must name. */
const eventParameter = (component: string, description: string) =>
  new Parameter(
    {
      component,
      description,
      required: true,
      schema: { type: 'string', pattern: EVENT_ID.pattern },
      example: EVENT_ID.example,
    },
    {
      rule: 'must be the id of an event, such as 815.0-1a2b3c4d, or its place, such as 815.0.',
      parse: parseEventId,
    },
  );

export const replayWebhookEvents = operation({
  id: 'replayWebhookEvents',
  at: 'POST /webhook-endpoints/{endpointId}/replay',
  summary: 'Replay events',
  description:
    'Continues after this event, whatever was delivered: later events are delivered again with the same bytes, and a later place skips those before it. A paused endpoint stays paused.',
  access: CHANGE,
  ...ONE,
  query: {
    after: eventParameter(
      'AfterEvent',
      'The id of an event, such as `815.0-1a2b3c4d`, or its place, such as `815.0`. All later events follow; `0.0` is before all.',
    ),
  },
  body: EMPTY,
  output: CURRENT,
  errors: { 410: HISTORY_PRUNED },
  handle: (services, { path, query, author, accountId }) => {
    const { webhooks } = services.management;
    return changed(services, webhooks.replay(path.endpointId, query.after, author, accountId));
  },
});

export const resendWebhookEvent = operation({
  id: 'resendWebhookEvent',
  at: 'POST /webhook-endpoints/{endpointId}/resend',
  summary: 'Send one event again',
  description:
    'Sends one event immediately with the same bytes, also to a paused endpoint, and returns the attempt. It waits for the response, for 10 seconds at most. The events in between are not sent, and the place of the endpoint stays. A `conflict` is an event that an active endpoint has still to receive, which a replay attempts now, an event that is being sent, or an account with 16 messages in progress.',
  access: { role: 'administrator' },
  ...ONE,
  query: {
    event: eventParameter(
      'ResentEvent',
      'The id of the event, such as `815.0-1a2b3c4d`, or its place, such as `815.0`.',
    ),
  },
  body: EMPTY,
  output: one(ATTEMPT, { description: 'The attempt, successful or not.' }),
  missing: 'webhook endpoint or event',
  errors: CONFLICT,
  handle: async ({ management, webhooks }, { path: { endpointId }, query: { event }, author }) => {
    const endpoint = await management.webhooks.find(endpointId);
    const stored = await management.webhooks.findEvent(event);
    const readNow = () => management.webhooks.findWithSecrets(endpointId);
    const attempt = await webhooks.sendEvent(endpoint, readNow, event, stored);
    return management.webhooks.logAttempt(endpointId, 'resend', attempt, author);
  },
});

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  at: 'GET /webhook-endpoints/{endpointId}/deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description: 'Returns the last 100 attempts, the newest first.',
  access: READ,
  ...ONE,
  output: list(ATTEMPT, { description: 'The attempts.', maxItems: MAX_LOGGED_ATTEMPTS }),
  handle: ({ management }, { path, accountId }) => management.webhooks.attempts(path.endpointId, accountId),
});
