import type { Mutation } from '../mutation.ts';

const STEPS = 'orders/order-steps.test.ts';
const PLACE = 'orders/place-order.test.ts';
const LIST = 'orders/list-orders.test.ts';
const EXPIRY = 'orders/order-expiry.test.ts';
const RESERVED = 'orders/reserved-stock.test.ts';

/** Operations on orders, their expiry, and reserved stock in other operations. */
export const ORDERS: readonly Mutation[] = [
  {
    name: 'a petId may be in two lines of an order',
    file: 'http/schemas/order.ts',
    from: 'if (earlier !== undefined) {',
    to: 'if (earlier === -1) {',
    tests: [PLACE, STEPS],
  },
  {
    name: 'an order of no units passes',
    file: 'http/schemas/order.ts',
    from: '.min(1, UNITS_RULE)',
    to: '.min(0, UNITS_RULE)',
    tests: [PLACE],
  },
  {
    name: 'expiresAt null means the hold time of the shop',
    file: 'http/orders/place-order.ts',
    from: 'Math.floor(parseTimestamp(expiresAt) ?? 0) : expiresAt;',
    to: 'Math.floor(parseTimestamp(expiresAt) ?? 0) : undefined;',
    tests: [PLACE],
  },
  {
    name: 'a placement ignores If-Match',
    file: 'http/orders/place-order.ts',
    from: "requireNoPreconditions(context, 'names one order, and a new order has no state yet.');",
    to: '',
    tests: [PLACE],
  },
  {
    name: 'a step ignores If-Match',
    file: 'http/orders/order-step.ts',
    from: 'const preconditions = readPreconditions(context);',
    to: 'const preconditions = { ifNoneMatch: readPreconditions(context).ifNoneMatch };',
    tests: [STEPS],
  },
  {
    name: 'a step ignores its Idempotency-Key',
    file: 'http/orders/order-step.ts',
    from: 'await writer.write(context, command, key)',
    to: 'await writer.write(context, command, key && undefined)',
    tests: ['orders/order-idempotency.test.ts'],
  },
  {
    name: 'a step moves all units, whatever its lines are',
    file: 'http/orders/order-step.ts',
    from: 'lines: body?.lines,',
    to: '',
    tests: [STEPS],
  },
  {
    name: 'a refusal names another line',
    file: 'http/orders/order-refusals.ts',
    from: 'const line = result.line ?? order?.lines.findIndex((one) => one.petId === petId);',
    to: 'const line = order?.lines.findIndex((one) => one.petId === petId) ?? 0;',
    tests: [PLACE, STEPS],
  },
  {
    name: 'a refusal offers a return where nothing was delivered',
    file: 'http/orders/order-refusals.ts',
    from: 'lines.some(({ delivered, returned }) => delivered > returned)',
    to: 'lines.some(({ delivered, returned }) => delivered >= returned)',
    tests: [STEPS],
  },
  {
    name: 'the next page of orders loses its order',
    file: 'http/orders/order-query.ts',
    from: "...(order === 'asc' ? { after: cursor } : { before: cursor }),",
    to: '...{ before: cursor },',
    tests: [LIST],
  },
  {
    name: 'createdSince between two milliseconds is rounded down',
    file: 'http/orders/order-query.ts',
    from: 'Math.ceil(createdSinceMs)',
    to: 'Math.floor(createdSinceMs)',
    tests: [LIST],
  },
  {
    name: 'the link to the next page loses the filters',
    file: 'http/orders/list-orders.ts',
    from: "parameters.set('cursor', encodeCursor(next));",
    to: "parameters.set('cursor', encodeCursor(next)); parameters.delete('status');",
    tests: [LIST],
  },
  {
    name: 'an order is 304 for a client that has another state',
    file: 'http/orders/get-order.ts',
    from: 'const tag = orderETag(order);',
    to: 'const tag = \'"order"\';',
    tests: [PLACE],
  },
  {
    name: 'the expiry stops after one full page',
    file: 'order-expiry.ts',
    from: 'return isOwn && hasMore;',
    to: 'return isOwn && hasMore && orderIds.length > MAX_QUEUED_ORDERS;',
    tests: [EXPIRY],
  },
  {
    name: 'orders of a hundred lines expire as many together as orders of one',
    file: 'store/orders/order-reader.ts',
    from: 'const MAX_DUE_LINES = 200;',
    to: 'const MAX_DUE_LINES = 20_000;',
    tests: [EXPIRY],
  },
  {
    name: 'the expiry queues a thousand orders',
    file: 'order-expiry.ts',
    from: 'const MAX_QUEUED_ORDERS = 50;',
    to: 'const MAX_QUEUED_ORDERS = 1_000;',
    tests: [EXPIRY],
  },
  {
    name: 'each failure of the expiry is reported',
    file: 'order-expiry.ts',
    from: 'this.#isFailing = true;',
    to: '',
    tests: [EXPIRY],
  },
  {
    name: 'a stop does not wait for the expiry',
    file: 'order-expiry.ts',
    from: 'await this.#running;',
    to: '',
    tests: [EXPIRY],
  },
  {
    name: 'an adjustment always takes reserved units',
    file: 'http/writes/adjust-inventory.ts',
    from: 'takesReserved: body.takeReserved,',
    to: 'takesReserved: true,',
    tests: [RESERVED],
  },
  {
    name: 'a row of a batch never takes reserved units',
    file: 'http/writes/batch-inventory.ts',
    from: 'takesReserved: row.takeReserved,',
    to: '',
    tests: [RESERVED],
  },
  {
    name: 'the tag of an item stays while its days of stock change',
    file: 'domain/ledger/stock.ts',
    from: "const computed = days === null ? ''",
    to: "const computed = days !== undefined ? ''",
    tests: [RESERVED],
  },
  {
    name: 'availableLte of less than zero is read without its sign',
    file: 'http/request/query-parameters.ts',
    from: "return text.startsWith('-') ? -size : size;",
    to: 'return size;',
    tests: [RESERVED],
  },
  {
    name: 'an order is over by the time of a ledger that is ahead',
    file: 'domain/orders/order-book.ts',
    from: 'expiresAtMs <= author.atMs;',
    to: 'expiresAtMs <= this.#transaction.recordedAt(author);',
    tests: ['orders/order-book.test.ts'],
  },
  {
    name: 'an expiry that cannot be written is not reported',
    file: 'order-expiry.ts',
    from: "if (failed?.status === 'rejected') throw failed.reason;",
    to: '',
    tests: [EXPIRY],
  },
];
