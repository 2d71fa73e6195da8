import type { Mutation } from '../mutation.ts';

const CLIENT = '../../client/src';

/** What the client library promises to its callers. */
export const CLIENT_LIBRARY: readonly Mutation[] = [
  {
    name: 'each attempt of a write is a write of its own',
    file: `${CLIENT}/caller.ts`,
    from: 'const init = { method, body, headers: { ...common, ...headers, ...more } };',
    to: "const init = { method, body, headers: { ...common, ...headers, ...more, 'Idempotency-Key': String(clock.now()) } };",
    tests: ['client/faulty-network.test.ts', 'client/hostile-server.test.ts'],
  },
  {
    name: 'an operation without a key is repeated after a broken connection',
    file: `${CLIENT}/retry.ts`,
    from: '  if (!isRepeatable) return undefined;\n',
    to: '',
    tests: ['client/hostile-server.test.ts'],
  },
  {
    name: 'a failed write never says that it may have changed something',
    file: `${CLIENT}/retry.ts`,
    from: "return isRefusal || code === 'invalid_argument' ? before : true;",
    to: 'return before;',
    tests: ['client/faulty-network.test.ts'],
  },
  {
    name: 'a request is sent before Retry-After has passed',
    file: `${CLIENT}/gate.ts`,
    from: 'const waitMs = retryAfterSeconds ? retryAfterSeconds * 1_000 : backoffMs;',
    to: 'const waitMs = 0 * backoffMs;',
    tests: ['client/hostile-server.test.ts'],
  },
  {
    name: 'the client does not ask for the limits that others may have used up',
    file: `${CLIENT}/gate.ts`,
    from: 'nowMs - this.#knownAtMs > FRESH_MS && nowMs < this.#carefulUntilMs',
    to: 'nowMs < 0',
    tests: ['client/shared-limit.test.ts'],
  },
  {
    name: 'the API key follows a redirect',
    file: `${CLIENT}/attempt.ts`,
    from: "redirect: 'manual'",
    to: "redirect: 'follow'",
    tests: ['client/hostile-server.test.ts'],
  },
  {
    name: 'a list that did not change has no second page',
    file: `${CLIENT}/caller.ts`,
    from: 'headers: renewed(kept.headers, received.headers)',
    to: 'headers: received.headers',
    tests: ['client/operations.test.ts'],
  },
  {
    name: 'a write is sent again after the service has forgotten its key',
    file: `${CLIENT}/repeat.ts`,
    from: 'if (isUncertain && ageMs() > KEY_LIFE_MS) throw new ForgottenKey();',
    to: '',
    tests: ['client/ambiguous-writes.test.ts'],
  },
  {
    name: 'a 404 of a proxy hides that an earlier attempt made the change',
    file: `${CLIENT}/retry.ts`,
    from: " && code !== 'invalid_response') return false;",
    to: ') return false;',
    tests: ['client/ambiguous-writes.test.ts'],
  },
  {
    name: 'the webhook signature is checked with a tolerance that is not a number',
    file: `${CLIENT}/webhooks.ts`,
    from: 'if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) <= toleranceSeconds))',
    to: 'if (Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds)',
    tests: ['client/verify-webhook.test.ts'],
  },
  {
    name: 'large petIds are rounded',
    file: `${CLIENT}/exact-json.ts`,
    from: '/\\d{16}/.test(json)',
    to: 'json.length < 0',
    tests: ['client/operations.test.ts'],
  },
  {
    name: 'the stream passes a movement on twice',
    file: `${CLIENT}/movement-order.ts`,
    from: 'if (movement.sequence > this.last) ',
    to: 'if (movement.sequence <= this.last) return [movement];\n    ',
    tests: ['client/stream-movements.test.ts'],
  },
  {
    name: 'the stream continues another ledger',
    file: `${CLIENT}/movement-stream.ts`,
    from: 'if (data.hash !== newest.hash) throw ledgerReplaced();',
    to: '',
    tests: ['client/stream-movements.test.ts'],
  },
  {
    name: 'a stream waits for ever on a dead connection',
    file: `${CLIENT}/body-reader.ts`,
    from: 'clock.after(silenceMs, ',
    to: 'clock.after(silenceMs * 1_000, ',
    tests: ['client/stream-movements.test.ts'],
  },
  {
    name: 'an old webhook message is accepted again',
    file: `${CLIENT}/webhooks.ts`,
    from: '<= toleranceSeconds',
    to: '<= Number.POSITIVE_INFINITY',
    tests: ['client/verify-webhook.test.ts'],
  },
  {
    name: 'a page leads to itself for ever',
    file: `${CLIENT}/petstore-client.ts`,
    from: 'String(query) === String(parts.query)',
    to: 'query === parts.query',
    tests: ['client/hostile-server.test.ts'],
  },
];
