import type { Mutation } from '../mutation.ts';

/** Exact parsing of client input. */
export const PARSING: readonly Mutation[] = [
  {
    name: 'a method in small letters is refused without a reason',
    file: 'server/src/listen/parse-errors.ts',
    from: 'HPE_INVALID_METHOD: [',
    to: 'HPE_INVALID_VERB: [',
    tests: ['server/test/http/wire.test.ts'],
  },
  {
    name: 'a fraction that is nearly an integer passes as one',
    file: 'server/src/http/request/parse-json.ts',
    from: 'FRACTION_OR_EXPONENT.test(text) ? withoutRounding : undefined',
    to: 'undefined',
    tests: ['server/test/http/refusals.test.ts'],
  },
  {
    name: 'the petId of a batch row is rounded',
    file: 'server/src/http/request/parse-json.ts',
    from: "if (name !== 'petId' || typeof value !== 'number')",
    to: "if (name !== 'petIds' || typeof value !== 'number')",
    tests: ['server/test/writes/batch-inventory.test.ts', 'server/test/blackbox/int64.test.ts'],
  },
  {
    name: 'a mapping of many small values is parsed',
    file: 'server/src/http/admin/import-mappings.ts',
    from: 'MAX_MAPPING_BYTES, limits: LIMITS }',
    to: 'MAX_MAPPING_BYTES }',
    tests: ['server/test/imports/mappings.test.ts'],
  },
  {
    name: 'the 31st of April is a day',
    file: 'shared/src/timestamp.ts',
    from: 'if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;',
    to: '',
    tests: ['server/test/http/timestamps.test.ts'],
  },
  {
    name: 'an offset is added instead of subtracted',
    file: 'shared/src/timestamp.ts',
    from: "date.getTime() - (sign === '-' ? -offset : offset)",
    to: "date.getTime() + (sign === '-' ? -offset : offset)",
    tests: ['server/test/http/timestamps.test.ts'],
  },
  {
    name: 'a path may bring U+0000 to the database',
    file: 'server/src/http/router.ts',
    from: 'toStorableText(decodeURIComponent(text))',
    to: 'decodeURIComponent(text)',
    tests: ['server/test/postgres/contract.test.ts'],
  },
  {
    name: 'the listener loads fetch at each start',
    file: 'server/src/listen/node.ts',
    from: "const { createServer } = process.getBuiltinModule('node:http');",
    to: "import { createServer } from 'node:http';",
    tests: ['server/test/listen/loaded-modules.test.ts'],
  },
  {
    name: 'a refused value that looks like a key is repeated',
    file: 'server/src/http/request/sent-value.ts',
    from: "if (SECRET.test(text)) return '';",
    to: '',
    tests: ['server/test/http/refusals.test.ts'],
  },
  {
    name: 'the refusal of a sign-in repeats a part of its body',
    file: 'server/src/http/admin/sessions/create-session.ts',
    from: '{ isSecret: true },',
    to: '{ isSecret: false },',
    tests: ['server/test/http/messages.test.ts'],
  },
  {
    name: 'a number in quotes is refused with the rule alone',
    file: 'server/src/http/request/json-body.ts',
    from: "if (issue?.code === 'invalid_type' && isQuoted(value, issue.expected))",
    to: "if (issue?.code === 'custom' && isQuoted(value, ''))",
    tests: ['server/test/http/refusals.test.ts'],
  },
  {
    name: 'an empty body with the type of a form is refused',
    file: 'server/src/http/request/json-body.ts',
    from: "if (context.header('content-length') === '0') return undefined;",
    to: '',
    tests: ['server/test/orders/order-steps.test.ts'],
  },
];
