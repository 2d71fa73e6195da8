import type { Mutation } from '../mutation.ts';

const TESTS = ['http/operation.test.ts'];

/** Faults of the kernel that reads requests and writes responses of operations. */
export const OPERATIONS: readonly Mutation[] = [
  {
    name: 'an operation lets an unknown query parameter pass',
    file: 'http/operation/parameter.ts',
    from: 'if (!Object.hasOwn(parameters, name)) {',
    to: 'if (name === undefined) {',
    tests: TESTS,
  },
  {
    name: 'an operation brings U+0000 of its query to the database',
    file: 'http/operation/parameter.ts',
    from: 'if (!texts.every(isStorableText))',
    to: 'if (texts.length === 0)',
    tests: TESTS,
  },
  {
    name: 'a parameter that excludes all others is sent with one',
    file: 'http/operation/parameter.ts',
    from: 'if (parameters[name]?.isAlone) throw',
    to: 'if (name === undefined) throw',
    tests: TESTS,
  },
  {
    name: 'a page of an operation may have one item too many',
    file: 'http/operation/parameter.ts',
    from: 'return items >= 1 && items <= max ? items : undefined;',
    to: 'return items >= 1 && items <= max + 1 ? items : undefined;',
    tests: TESTS,
  },
  {
    name: 'a cursor is accepted in a form that no link has',
    file: 'http/operation/parameter.ts',
    from: 'return value !== undefined && encode(value) === text ? value : undefined;',
    to: 'return value;',
    tests: TESTS,
  },
  {
    name: 'the last page leads to another one',
    file: 'http/operation/output.ts',
    from: 'if (items.length <= limit) return { items };',
    to: 'if (items.length < limit) return { items };',
    tests: TESTS,
  },
  {
    name: 'a response that must not be stored can be',
    file: 'http/operation/output.ts',
    from: "const own: Record<string, string> = { 'Cache-Control': 'no-store' };",
    to: 'const own: Record<string, string> = {};',
    tests: TESTS,
  },
  {
    name: 'a response without content loses its header',
    file: 'http/operation/output.ts',
    from: '{ ...header?.of(value, answered) }',
    to: '{}',
    tests: TESTS,
  },
  {
    name: 'a client sees the resources of all accounts',
    file: 'http/operation/operation.ts',
    from: 'if (this.#isManaged) return undefined;',
    to: 'if (!this.#isManaged) return undefined;',
    tests: TESTS,
  },
  {
    name: 'an operation of clients alone is mounted for managers',
    file: 'http/operation/operation.ts',
    from: 'if (role === null) return { client };',
    to: '',
    tests: TESTS,
  },
  {
    name: 'the refusal of an action is an error of the service',
    file: 'http/operation/operation.ts',
    from: 'throw error instanceof OperatorError ? refusalOf(error) : error;',
    to: 'throw error;',
    tests: TESTS,
  },
  {
    name: 'a path with a parameter that no operation reads is accepted',
    file: 'http/operation/operation.ts',
    from: 'if (named !== Object.keys(path).join())',
    to: 'if (named === undefined)',
    tests: TESTS,
  },
  {
    name: 'two components of the document have one name',
    file: 'http/openapi/components.ts',
    from: 'if (known && JSON.stringify(known.definition) !== JSON.stringify(definition)) {',
    to: 'if (known && definition === undefined) {',
    tests: TESTS,
  },
  {
    name: 'a response has a member that its document does not have',
    file: 'wire/key-json.ts',
    from: 'state: keyState(key, nowMs),',
    to: 'state: keyState(key, nowMs),\n    isLive: true,',
    tests: ['admin/keys.test.ts'],
  },
  {
    name: 'a client sees the webhook endpoint of another account',
    file: 'http/webhooks/webhook-endpoints.ts',
    from: 'management.webhooks.find(path.endpointId, accountId)',
    to: 'management.webhooks.find(path.endpointId)',
    tests: ['webhook-endpoints/endpoint-model.test.ts', 'webhook-endpoints/endpoint-operations.test.ts'],
  },
  {
    name: 'a filter of keys is read, and applied by nobody',
    file: 'http/admin/keys/keys.ts',
    from: ', ...onlySet({ accountId })',
    to: ', ...onlySet({ accountId: accountId && undefined })',
    tests: ['http/filters.test.ts'],
  },
];
