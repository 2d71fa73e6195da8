import type { Mutation } from '../mutation.ts';

/** What is sent, to whom, in which order, and where not. */
export const WEBHOOKS: readonly Mutation[] = [
  {
    name: 'a signature covers the body only',
    file: 'webhooks/delivery/signature.ts',
    from: '.update(signed)',
    to: '.update(signed && body)',
    tests: ['webhooks/signature.test.ts'],
  },
  {
    name: 'an id repeats after a restored backup',
    file: 'domain/webhooks/events.ts',
    from: 'return hash.slice(0, FINGERPRINT_DIGITS);',
    to: 'return hash.slice(0, 0);',
    tests: ['webhooks/event-ids.test.ts'],
  },
  {
    name: 'an event whose delivery fails is skipped',
    file: 'webhooks/queues/endpoint-queue.ts',
    from: 'this.#events.forget();',
    to: 'this.#events.remove(message);',
    tests: ['webhooks/sender-failures.test.ts'],
  },
  {
    name: 'reads that succeed hide that writes fail',
    file: 'webhooks/sender.ts',
    from: `    const onDatabase = (intervalMs: number, run: () => Promise<boolean>) => {
      const guard = new DatabaseGuard(options);
`,
    to: `    const guard = new DatabaseGuard(options);
    const onDatabase = (intervalMs: number, run: () => Promise<boolean>) => {
`,
    tests: ['webhooks/thread/sender-thread.test.ts'],
  },
  {
    name: 'a sender restarts again and again while an import locks the database',
    file: 'webhooks/database-guard.ts',
    from: 'if (isLocked(error)) this.#failingSinceMs = undefined;\n      else this',
    to: 'this',
    tests: ['webhooks/database-guard.test.ts'],
  },
  {
    name: 'an endpoint whose secret does not open is silently active',
    file: 'webhooks/unopened-endpoints.ts',
    from: 'if (added.length > 0) await',
    to: 'if (added.length < 0) await',
    tests: ['webhooks/sender-failures.test.ts'],
  },
  {
    name: 'an event in delivery counts as delivered',
    file: 'webhooks/queues/endpoint-events.ts',
    from: 'if (this.#pending.first) return this.#cursor;',
    to: 'if (this.#pending.first) return this.#read;',
    tests: ['webhooks/leases.test.ts'],
  },
  {
    name: 'a sender that lost its lease still reports',
    file: 'store/webhooks/sender-store.ts',
    from: 'rows.get(id)?.token === token',
    to: 'rows.get(id) !== undefined || token < 0',
    tests: ['webhook-endpoints/sender-store.test.ts'],
  },
  {
    name: 'a take-over keeps the token',
    file: 'store/webhooks/sender-statements.ts',
    from: 'CASE WHEN lease_owner = $1 THEN 0 ELSE 1 END',
    to: 'CASE WHEN lease_owner = $1 THEN 0 ELSE 0 END',
    tests: ['webhook-endpoints/sender-store.test.ts'],
  },
  {
    name: 'a machine that was suspended continues with its old lease',
    file: 'webhooks/lease-clock.ts',
    from: 'Math.max(elapsedMs() - this.#atElapsedMs, wallMs() - this.#atWallMs)',
    to: 'elapsedMs() - this.#atElapsedMs',
    tests: ['webhooks/leases.test.ts'],
  },
  {
    name: 'a receiver that is gone is tried again',
    file: 'webhooks/queues/receiver-failures.ts',
    from: "if (statusCode === GONE) this.#pause = { reason: 'gone', atMs: nowMs };",
    to: "if (statusCode === -GONE) this.#pause = { reason: 'gone', atMs: nowMs };",
    tests: ['webhooks/retry-schedule.test.ts'],
  },
  {
    name: 'the pauses between attempts do not grow',
    file: 'webhooks/queues/retry-schedule.ts',
    from: '2 ** (failures - 1)',
    to: '1',
    tests: ['webhooks/retry-schedule.test.ts'],
  },
  {
    name: 'Retry-After of a receiver is ignored',
    file: 'webhooks/queues/retry-schedule.ts',
    from: 'return Math.max(withJitterMs, Math.min(retryAfterMs, MAX_DELAY_MS));',
    to: 'return Math.max(withJitterMs, Math.min(0, retryAfterMs));',
    tests: ['webhooks/retry-schedule.test.ts'],
  },
  {
    name: 'the IPv6 form of a private IPv4 address is public',
    file: 'webhooks/delivery/addresses.ts',
    from: "if (address.range() !== 'unicast') return false;",
    to: "if (address.kind() === 'ipv4' && address.range() !== 'unicast') return false;",
    tests: ['webhooks/addresses.test.ts'],
  },
  {
    name: 'only the first address of a name is checked',
    file: 'webhooks/delivery/destination.ts',
    from: 'for (const address of addresses) {',
    to: 'for (const address of addresses.slice(0, 1)) {',
    tests: ['webhooks/destination.test.ts'],
  },
  {
    name: 'the connection is made to the name, which is looked up again',
    file: 'webhooks/delivery/http-delivery.ts',
    from: '      host: address,\n',
    to: '      host: address && url.host,\n',
    tests: ['webhooks/destination.test.ts'],
  },
  {
    name: 'a redirect is a success',
    file: 'webhooks/delivery/failure-sentences.ts',
    from: 'if (status >= 200 && status < 300) return null;',
    to: 'if (status >= 200 && status < 400) return null;',
    tests: ['webhooks/http-delivery.test.ts'],
  },
  {
    name: 'a filter by status has no effect',
    file: 'webhooks/queues/event-facts.ts',
    from: 'facts.status !== null && !statuses.has(facts.status)',
    to: 'facts.status === null && !statuses.has(facts.status)',
    tests: ['webhooks/subscription-index.test.ts'],
  },
  {
    name: 'an account receives the events of another one',
    file: 'webhooks/queues/event-facts.ts',
    from: 'facts.accountId !== null && facts.accountId !== accountId',
    to: 'facts.accountId !== null && accountId === null',
    tests: ['webhooks/subscription-index.test.ts'],
  },
  {
    name: 'an attempt that hangs keeps its place',
    file: 'webhooks/queues/delivery-slots.ts',
    from: 'attempt.turns * TURN_MS >= PROMPT_MS',
    to: 'attempt.turns * TURN_MS >= 100 * PROMPT_MS',
    tests: ['webhooks/hanging-receivers.test.ts'],
  },
];
