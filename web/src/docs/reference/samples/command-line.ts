import type { Call } from './call.ts';

/** The commands of `petstore`, by operation. A name in braces is a member of the path or of the body. */
export const COMMANDS: Readonly<Record<string, string>> = {
  listInventory: 'list',
  getInventoryItem: 'get {petId}',
  updateInventory: 'set {petId} {quantity}',
  setInventoryStatus: 'set {petId}',
  adjustInventory: 'adjust {petId} {delta}',
  listCatalog: 'find {barcode}',
  listMovements: 'history --oldest-first',
  // The newest first, as in the sample of the request.
  listItemMovements: 'history {petId}',
  streamMovements: 'watch',
  getRateLimit: 'limits',
  listOrders: 'orders list',
  getOrder: 'orders show {orderId}',
  placeOrder: 'orders place {lines}',
  approveOrder: 'orders approve {orderId}',
  deliverOrder: 'orders deliver {orderId}',
  cancelOrder: 'orders cancel {orderId}',
  returnOrder: 'orders return {orderId}',
};

/** The options of commands, by the members of a request. */
const OPTIONS: Readonly<Record<string, string>> = {
  status: '--status',
  after: '--after',
  limit: '--limit',
  reason: '--reason',
  referenceId: '--reference',
};

/** Commands for a POSIX shell, or `undefined` without a command for the operation. The key is in the variable `KEY`. */
export function commandLineSample(call: Call, serverUrl: string): string | undefined {
  const { operationId, path, query, body, headers } = call;
  const command = COMMANDS[operationId];
  if (command === undefined) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...path, ...query, ...body };
  const words = command.replaceAll(/\{(\w+)\}/g, (_, name: string) => wordOf(members[name]));
  const options = Object.entries(members).flatMap(([name, value]) =>
    OPTIONS[name] === undefined ? [] : [`${OPTIONS[name]} ${String(value)}`],
  );
  const key = headers['Idempotency-Key'];
  return [
    `export PETSTORE_URL=${serverUrl}`,
    'export PETSTORE_API_KEY="$KEY"',
    [`petstore ${words}`, ...options, ...(key ? [`--idempotency-key ${key}`] : [])].join(' \\\n  '),
  ].join('\n');
}

/** Lines of an order are words such as `21=3`. */
function wordOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value
    .map(({ petId, quantity }: { petId: number; quantity: number }) => `${petId}=${quantity}`)
    .join(' ');
}
