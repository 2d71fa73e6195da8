import type { Mutation } from '../mutation.ts';

/** What the documentation at /docs promises. */
export const DOCUMENTATION: readonly Mutation[] = [
  {
    name: 'a broken link of a guide leads to the start of its file',
    file: '../../web/build/guides.ts',
    from: 'if (!heading) throw',
    to: "if (!heading) return addresses.ofHeading(found[0]?.slug ?? '');\n    if (!heading) throw",
    tests: ['docs/written-docs.test.ts'],
  },
  {
    name: 'docs/errors.md lacks the codes of servers',
    file: '../../web/build/errors-page.ts',
    from: 'Object.keys(ERROR_STATUS) as ErrorCode[];',
    to: '(Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => ERROR_STATUS[code] < 500);',
    tests: ['docs/written-docs.test.ts'],
  },
  {
    name: 'the documentation may run scripts of its own text',
    file: 'http/dashboard/dashboard.ts',
    from: `policyOf("'unsafe-inline'")`,
    to: `policyOf("'unsafe-inline'; script-src 'self' 'unsafe-inline'")`,
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'a command of the samples adjusts without its reason',
    file: '../../web/src/docs/samples/command-line.ts',
    from: "reason: '--reason',",
    to: '',
    tests: ['docs/samples.test.ts'],
  },
];
