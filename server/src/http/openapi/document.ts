import { OpenAPIHono } from '@hono/zod-openapi';
import { PLAN_LIMITS } from '../../domain/access/plans.ts';
import { ERROR_STATUS } from '../../domain/errors.ts';
import type { OperationDescription } from '../request/operation.ts';
import { ErrorSchema } from '../schemas/error.ts';
import { MovementOrderSchema } from '../schemas/movement.ts';
import { WholeNumberSchema } from '../schemas/values.ts';
import { components } from './components.ts';
import { ERROR_MEANINGS } from './error-descriptions.ts';

export interface DocumentServers {
  readonly production: string;
  /** Empty: the document has no staging server. */
  readonly staging: string;
}

const ERROR_CODES = Object.fromEntries(
  Object.entries(ERROR_STATUS).map(([code, status]) => [
    code,
    { status, meaning: ERROR_MEANINGS[code as keyof typeof ERROR_MEANINGS] },
  ]),
);

const LIMITS = {
  description:
    'Limits belong to the account, whatever the number of its keys. Requests count in two fixed UTC windows, minute and day. A refused request takes nothing from either. After a 429, wait for the seconds in `Retry-After`: a client that waits is never refused for the same window again. Requests that do not wait may lead to a temporary ban of the key.',
  plans: { ...PLAN_LIMITS, enterprise: { perMinute: null, perDay: null } },
};

const DESCRIPTION = `Stock levels of a pet store: list them, change them, and see who changed them, when and why.

Send your API key with every request: \`Authorization: Bearer <API_KEY>\`.

Every response has the state of the binding rate limit window and an \`X-Request-Id\`.

Every error has the same body: \`code\`, \`message\` and \`status\`. Error codes may be added; treat an unknown code by its status.

Every write can be sent again safely with an \`Idempotency-Key\`. It can name the state that the client has seen, in \`If-Match\` or \`changeFromQuantity\`.

Every operation except the batch and \`placeOrder\` evaluates \`If-Match\` and \`If-None-Match\` (RFC 9110 section 13). A resource without an \`ETag\` matches only \`*\`.`;

/** The OpenAPI 3.1 document of the interface, generated from the operations. */
export function openApiDocument(operations: readonly OperationDescription[], servers: DocumentServers) {
  const { openAPIRegistry: registry, ...app } = new OpenAPIHono();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'Your API key as the bearer token.',
  });
  for (const { kind, name, definition } of components()) {
    registry.registerComponent(kind, name, definition as Parameters<typeof registry.registerComponent>[2]);
  }
  // Only components refer to these.
  registry.register('Error', ErrorSchema);
  registry.register('MovementOrder', MovementOrderSchema);
  registry.register('WholeNumber', WholeNumberSchema);
  for (const { route, scope } of operations)
    registry.registerPath({ ...route, ...(scope && { 'x-scope': scope }) });
  const document = app.getOpenAPI31Document({
    openapi: '3.1.1',
    info: {
      title: 'Pet Store Inventory',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: servers.production, description: 'Production: keys start with psk_live_' },
      ...(servers.staging === ''
        ? []
        : [{ url: servers.staging, description: 'Staging: keys start with psk_test_' }]),
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Inventory', description: 'The stock of pets.' },
      { name: 'Movements', description: 'The history of every quantity and status.' },
      { name: 'Ledger', description: 'Proof that the history is complete.' },
      { name: 'Orders', description: 'Orders of customers, and the units that they reserve.' },
      { name: 'Store', description: 'The stock of the whole shop.' },
      { name: 'Pets', description: 'The animals.' },
      { name: 'Limits', description: 'The limits of an account and its use of them.' },
    ],
    'x-error-codes': ERROR_CODES,
    'x-limits': LIMITS,
  } as Parameters<typeof app.getOpenAPI31Document>[0]);
  return { ...document, components: simplified(document.components) };
}

/**
 * Rewrites two habits of the generator. A union becomes `oneOf`, because the members of ours exclude each other; a
 * reference with a description of its own becomes one schema, which JSON Schema 2020-12 allows, without `allOf`.
 */
function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, anyOf, ...members } = value as Record<string, unknown>;
  const rest = Object.fromEntries(Object.entries(members).map(([key, one]) => [key, simplified(one)]));
  if (Array.isArray(allOf)) return annotated(allOf);
  return anyOf === undefined ? rest : { oneOf: simplified(anyOf), ...rest };
}

const ANNOTATIONS = ['description', 'example', 'default'];

/** A reference with annotations. Anything else that a reference is combined with would be lost by generators. */
function annotated([reference, annotations]: readonly object[]): object {
  const others = Object.keys(annotations ?? {}).filter((key) => !ANNOTATIONS.includes(key));
  if (others.length > 0) throw new Error(`A schema combines a reference with ${others.join(', ')}.`);
  return { ...reference, ...annotations };
}
