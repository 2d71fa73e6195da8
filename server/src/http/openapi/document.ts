import { OpenAPIHono } from '@hono/zod-openapi';
import { ERROR_STATUS } from '../../domain/errors.ts';
import { PLAN_LIMITS } from '../../domain/plans.ts';
import type { OperationDescription } from '../request/operation.ts';
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
    'Limits belong to the account, however many keys it has, and count in two fixed UTC windows, minute and day. A refused request takes nothing from either. After a 429, wait as `Retry-After` says: a client that does is never refused for the same window again. Going on without waiting may lead to a temporary ban of the key.',
  plans: { ...PLAN_LIMITS, enterprise: { perMinute: null, perDay: null } },
};

const DESCRIPTION = `Stock levels of a pet store: list them, change them, and see who changed them, when and why.

Send your API key with every request: \`Authorization: Bearer <API_KEY>\`.

Every response says how the window that binds stands, also one that takes nothing from it, and names the request by \`X-Request-Id\`.

Every error has the same body: \`code\`, \`message\` and \`status\`.

Every request that writes can be sent again safely with an \`Idempotency-Key\`, and can say in \`If-Match\` or \`changeFromQuantity\` what it has seen.

Every operation but the batch evaluates \`If-Match\` and \`If-None-Match\` (RFC 9110 section 13). What has no \`ETag\` matches \`*\` alone.`;

/** The OpenAPI 3.1 document of the interface, made from the operations themselves. */
export function openApiDocument(operations: readonly OperationDescription[], servers: DocumentServers) {
  const { openAPIRegistry: registry, ...app } = new OpenAPIHono();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'Your API key as the bearer token.',
  });
  for (const { route, scope } of operations) {
    registry.registerPath({ ...route, ...(scope && { 'x-scope': scope }), security: [{ apiKey: [] }] });
  }
  return app.getOpenAPI31Document({
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
    tags: [
      { name: 'Inventory', description: 'The stock of pets.' },
      { name: 'Movements', description: 'What changed it: the history of every number.' },
      { name: 'Ledger', description: 'Proof that the history is whole.' },
      { name: 'Store', description: 'The stock of the whole shop.' },
      { name: 'Pets', description: 'The animals themselves.' },
      { name: 'Limits', description: 'Where an account stands.' },
    ],
    'x-error-codes': ERROR_CODES,
    'x-limits': LIMITS,
  } as Parameters<typeof app.getOpenAPI31Document>[0]);
}
