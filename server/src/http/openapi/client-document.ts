import type { RouteConfig } from '@hono/zod-openapi';
import { PLAN_LIMITS } from '../../domain/access/plans.ts';
import type { OperationDescription } from '../request/bound-operation.ts';
import { type DocumentServers, makeDocument } from './document.ts';

const LIMITS = {
  description:
    'Limits belong to the account, whatever the number of its keys. Requests count in two fixed UTC windows, minute and day. A refused request takes nothing from either. After a 429, wait for the seconds in `Retry-After`: a client that waits is never refused for the same window again. Requests that do not wait may lead to a temporary ban of the key.',
  plans: { ...PLAN_LIMITS, enterprise: { perMinute: null, perDay: null } },
};

const DESCRIPTION = `Stock levels of a pet store: list them, change them, and see who changed them, when and why.

Send your API key with every request: \`Authorization: Bearer <API_KEY>\`.

Every response has the state of the binding rate limit window and an \`X-Request-Id\`.

Every error has the same body: \`code\`, \`message\` and \`status\`. Error codes may be added; treat an unknown code by its status.

An operation without \`x-stability\` is stable: a client that works today works with every later release of \`/v1\`. An \`experimental\` one may change its request.

Every write of stock and orders can be sent again safely with an \`Idempotency-Key\`; operations on webhook endpoints ignore one. A write can name the state that the client has seen, in \`If-Match\` or \`changeFromQuantity\`.

Every operation except the batch and \`placeOrder\` evaluates \`If-Match\` and \`If-None-Match\` (RFC 9110 section 13). A resource without an \`ETag\` matches only \`*\`.`;

/** The OpenAPI 3.1 document of the interface of clients, generated from the operations. */
export function openApiDocument(
  operations: readonly OperationDescription[],
  servers: DocumentServers,
  webhooks: readonly RouteConfig[],
): object {
  return makeDocument(operations, {
    webhooks,
    title: 'Pet Store Inventory',
    description: DESCRIPTION,
    credential: 'Your API key as the bearer token.',
    servers: [
      { url: servers.production, description: 'Production: keys start with psk_live_' },
      ...(servers.staging === ''
        ? []
        : [{ url: servers.staging, description: 'Staging: keys start with psk_test_' }]),
    ],
    tags: [
      { name: 'Inventory', description: 'The stock of pets.' },
      { name: 'Movements', description: 'The history of every quantity and status.' },
      { name: 'Ledger', description: 'Proof that the history is complete.' },
      { name: 'Orders', description: 'Orders of customers, and the units that they reserve.' },
      { name: 'Webhooks', description: 'URLs that receive events.' },
      { name: 'Catalog', description: 'Pets with their names, codes and stock.' },
      { name: 'Store', description: 'The stock of the whole shop.' },
      { name: 'Pets', description: 'The animals.' },
      { name: 'Limits', description: 'The limits of an account and its use of them.' },
    ],
    limits: LIMITS,
  });
}
