import type { Mutation } from '../mutation.ts';

const DELIVERY = 'server/src/webhooks/delivery';
const TESTS = 'server/test/webhooks/delivery';
const QUEUES = 'server/src/webhooks/queues';
const WEBHOOKS = 'server/test/webhooks';

/** How one attempt is made: to which address, on which connection, and what ends it. Then, which queues there are. */
export const DELIVERIES: readonly Mutation[] = [
  {
    name: 'an attempt after a stop is sent',
    file: `${DELIVERY}/deadline.ts`,
    from: '    if (signals.some(({ aborted }) => aborted)) this.#end();\n',
    to: '',
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'an attempt after a stop waits for its name',
    file: `${DELIVERY}/deadline.ts`,
    from: '      if (this.#error) reject(this.#error);\n',
    to: '',
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'the signal of an endpoint keeps each of its attempts in memory',
    file: `${DELIVERY}/deadline.ts`,
    from: "signal.removeEventListener('abort', this.#end);",
    to: "signal.removeEventListener('end', this.#end);",
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'an interrupted attempt leaves its connection open',
    file: `${DELIVERY}/http-delivery.ts`,
    from: '      deadline.onEnd((error) => sent.destroy(error));\n',
    to: '',
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'an attempt is repeated although its connection is a new one',
    file: `${DELIVERY}/http-delivery.ts`,
    from: 'sent.reusedSocket && STALE_CONNECTION',
    to: 'mayReuse && STALE_CONNECTION',
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'after a kept connection that is closed, another kept one is tried',
    file: `${DELIVERY}/http-delivery.ts`,
    from: 'this.#post(request, address, deadline, false)',
    to: 'this.#post(request, address, deadline)',
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'a response with U+0000 stops all reports on PostgreSQL',
    file: `${DELIVERY}/http-delivery.ts`,
    from: String.raw`.replaceAll('\0', '\u{FFFD}')`,
    to: '',
    tests: [`${TESTS}/http-delivery.test.ts`],
  },
  {
    name: 'all attempts use the first address of a name',
    file: `${DELIVERY}/destination.ts`,
    from: 'addresses[failures % addresses.length]',
    to: 'addresses[0]',
    tests: [`${TESTS}/destination.test.ts`],
  },
  {
    name: 'a name server decides where localhost is',
    file: `${DELIVERY}/destination.ts`,
    from: 'if (isOwnHost(host)) {',
    to: 'if (isOwnHost(host) && this.#networks.length === 0) {',
    tests: [`${TESTS}/destination.test.ts`],
  },
  {
    name: 'localhost has an address that the operator does not allow',
    file: `${DELIVERY}/destination.ts`,
    from: 'return allowed.length > 0 ? allowed : ownAddresses();',
    to: 'return allowed.length > 1 ? allowed : ownAddresses();',
    tests: [`${TESTS}/destination.test.ts`],
  },
  {
    name: 'names of thousands of endpoints fill the memory of the sending thread',
    file: `${DELIVERY}/destination.ts`,
    from: '    if (this.#cached.size >= MAX_CACHED_NAMES) this.#cached.clear();\n',
    to: '',
    tests: [`${TESTS}/destination.test.ts`],
  },
  {
    name: 'an address with a zone is a network',
    file: `${DELIVERY}/addresses.ts`,
    from: " && !text.includes('%')",
    to: '',
    tests: [`${TESTS}/addresses.test.ts`],
  },
  {
    name: 'a name that ends with a dot cannot receive',
    file: `${DELIVERY}/endpoint-url.ts`,
    from: String.raw`.replace(/\.$/, '')`,
    to: '',
    tests: [`${TESTS}/addresses.test.ts`],
  },
  {
    name: 'a database with fewer events than before is read on',
    file: `${QUEUES}/event-source.ts`,
    from: 'if (order < 0) throw new EventsReplaced',
    to: 'if (Number.isNaN(order)) throw new EventsReplaced',
    tests: [`${WEBHOOKS}/event-source.test.ts`],
  },
  {
    name: 'a sender waits before it ends with a database that has fewer events',
    file: 'server/src/webhooks/periodic-task.ts',
    from: 'isLasting || error instanceof EventsReplaced',
    to: 'isLasting',
    tests: [`${WEBHOOKS}/database-guard.test.ts`],
  },
  {
    name: 'a sender that is behind reads one scan at each look',
    file: `${QUEUES}/event-source.ts`,
    from: 'return comparePositions(scan.upTo, head) < 0;',
    to: 'return false;',
    tests: [`${WEBHOOKS}/event-source.test.ts`],
  },
  {
    name: 'what an earlier queue of an endpoint lost ends the present one',
    file: `${QUEUES}/leased-queues.ts`,
    from: 'if (!queue || (token !== undefined && queue.token !== token)) return;',
    to: 'if (!queue) return;',
    tests: [`${WEBHOOKS}/leased-queues.test.ts`],
  },
  {
    name: 'events are offered to queues that have ended',
    file: `${QUEUES}/leased-queues.ts`,
    from: '    this.#index.remove(queue);\n    this.#queues.delete(id);',
    to: '    this.#queues.delete(id);',
    tests: [`${WEBHOOKS}/leased-queues.test.ts`],
  },
  {
    name: 'new secrets sign only after another change of the endpoint',
    file: `${QUEUES}/leased-queues.ts`,
    from: '    queue.useSecrets(leased.secrets);\n    if (queue.version === leased.endpoint.version) return;\n',
    to: '    if (queue.version === leased.endpoint.version) return;\n    queue.useSecrets(leased.secrets);\n',
    tests: [`${WEBHOOKS}/leased-queues.test.ts`],
  },
  {
    name: 'a stop goes on with endpoints that another sender has',
    file: `${QUEUES}/leased-queues.ts`,
    from: 'if (tokens.get(id) !== token) this.drop(id);',
    to: 'if (!tokens.has(id)) this.drop(id);',
    tests: [`${WEBHOOKS}/leased-queues.test.ts`],
  },
  {
    name: 'a queue keeps attempts without an end while the database is slow',
    file: `${QUEUES}/endpoint-queue.ts`,
    from: '    if (this.#attempts.length > MAX_LOGGED_ATTEMPTS) this.#attempts.shift();\n',
    to: '',
    tests: [`${WEBHOOKS}/kept-attempts.test.ts`],
  },
  {
    name: 'the delivery log leaves out the newest attempts',
    file: `${QUEUES}/endpoint-queue.ts`,
    from: 'MAX_LOGGED_ATTEMPTS) this.#attempts.shift();',
    to: 'MAX_LOGGED_ATTEMPTS) this.#attempts.pop();',
    tests: [`${WEBHOOKS}/kept-attempts.test.ts`],
  },
];
