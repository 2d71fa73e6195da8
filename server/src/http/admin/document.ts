import { COSTLY_PER_MINUTE, REQUESTS_PER_MINUTE } from '../access/management-limits.ts';
import { SECURE_COOKIE } from '../access/session-cookie.ts';
import { SIGN_INS_PER_MINUTE } from '../access/session-gate.ts';
import { type DocumentServers, makeDocument } from '../openapi/document.ts';
import type { OperationDescription } from '../request/bound-operation.ts';

/** The last day on which a release may change these operations. `npm run release:version` refuses to release them as `beta` after it. */
export const BETA_UNTIL = '2027-05-31';

const DESCRIPTION = `The management of a pet store: accounts, keys, thresholds, and everything that clients do with stock and orders.

Send a management key with every request: \`Authorization: Bearer <MANAGEMENT_KEY>\`. It begins with \`psa_\`; \`petstore-server admin-keys create\` makes one. Keys of clients are invalid here, and management keys are invalid elsewhere.

The dashboard signs in with \`createSession\` instead, and sends the cookie of its session. The session stands for the key.

Each operation requires a role, in \`x-role\`. Roles include each other: a viewer reads; staff also changes stock, orders and pets; an administrator does everything. A key without the role gets 403 \`insufficient_scope\`.

Every change is recorded in the activity log with the key that made it, except saved views.

Every error has the same body: \`code\`, \`message\` and \`status\`. Error codes may be added; treat an unknown code by its status.

Every operation is \`beta\` until ${BETA_UNTIL}, and stable from then on, except what is \`experimental\`. Until then a release may change members, parameters and status codes, and lists each such change with its date.`;

const LIMITS = {
  description:
    'Limits belong to the management key, per instance. Requests count in a fixed UTC minute; those of operations with `x-costly` count separately. After a 429, wait for the seconds in `Retry-After`.',
  perMinute: REQUESTS_PER_MINUTE,
  costlyPerMinute: COSTLY_PER_MINUTE,
  failedSignInsPerMinute: SIGN_INS_PER_MINUTE,
};

const TAGS = [
  { name: 'System', description: 'The running service.' },
  { name: 'Accounts', description: 'Who may use the service, on which plan.' },
  { name: 'Keys', description: 'API keys of accounts, and their bans.' },
  { name: 'Management keys', description: 'Keys for this interface.' },
  { name: 'Sessions', description: 'Sign-ins to the dashboard.' },
  { name: 'Inventory', description: 'The stock of pets.' },
  { name: 'Movements', description: 'The history of every quantity and status.' },
  { name: 'Ledger', description: 'Proof that the history is complete.' },
  { name: 'Orders', description: 'Orders of customers, and the units that they reserve.' },
  { name: 'Webhooks', description: 'URLs of accounts that receive events.' },
  { name: 'Store', description: 'The stock of the whole shop.' },
  { name: 'Pets', description: 'The animals.' },
  {
    name: 'Stock-takes',
    description: 'Counts of the shop, or of a part of it, with a report of what differs.',
  },
  {
    name: 'Reports',
    description: 'Stock at a moment, movements per month, and the variance of stock-takes.',
  },
  { name: 'Reorders', description: 'What is low, and what is ordered of it.' },
  { name: 'Imports', description: 'Files of pets that are checked, shown and then applied.' },
];

/** The OpenAPI 3.1 document of the management API, generated from its operations. */
export function adminDocument(operations: readonly OperationDescription[], servers: DocumentServers): object {
  const adminUrl = (baseUrl: string) => baseUrl.replace(/\/v1$/, '/admin/v1');
  return makeDocument(operations, {
    title: 'Pet Store Management',
    description: DESCRIPTION,
    credential: 'A management key as the bearer token.',
    cookie: {
      name: SECURE_COOKIE,
      description:
        'The cookie of a session, for pages of the service: a change also needs `Sec-Fetch-Site: same-origin`, or the `Origin` of the service. The `Authorization` header wins over it.',
    },
    servers: [
      { url: adminUrl(servers.production), description: 'Production: keys start with psa_live_' },
      ...(servers.staging === ''
        ? []
        : [{ url: adminUrl(servers.staging), description: 'Staging: keys start with psa_test_' }]),
    ],
    tags: TAGS,
    limits: LIMITS,
  });
}
