import type { Mutation } from '../mutation.ts';

const RELEASE = 'scripts/release';

/** What the commands of a release refuse. */
export const RELEASES: readonly Mutation[] = [
  {
    name: 'the image is built without a file that a guide links to',
    file: 'deploy/Dockerfile',
    from: 'COPY openapi.json admin-openapi.json README.md SECURITY.md ./',
    to: 'COPY openapi.json admin-openapi.json SECURITY.md ./',
    tests: ['test/release/image-guides.test.ts'],
  },
  {
    name: 'a release keeps none of its documents',
    file: `${RELEASE}/released-documents.ts`,
    from: 'copyFileSync(join(root, name), join(root, RELEASED, name));',
    to: 'void [root, name];',
    tests: ['test/release/versions.test.ts'],
  },
  {
    name: 'an operation is released as beta for longer than promised',
    file: `${RELEASE}/released-documents.ts`,
    from: 'if (day <= until) return;',
    to: 'if (day !== until) return;',
    tests: ['test/release/versions.test.ts'],
  },
  {
    name: 'a stable operation breaks after an announcement',
    file: 'server/test/http/openapi-compatibility.ts',
    from: 'return !mayChange || ',
    to: 'return ',
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'a keyword that no document had is compatible',
    file: 'server/test/http/openapi-compatibility.ts',
    from: '!known.includes(key) && !isDeepStrictEqual(old?.[key], now?.[key])',
    to: 'key in before && !known.includes(key) && !isDeepStrictEqual(old?.[key], now?.[key])',
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'an operation may end earlier than it was said',
    file: 'server/test/http/openapi-compatibility.ts',
    from: 'return sunset < earliest ?',
    to: "return sunset === '' ?",
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'a security scheme may go',
    file: 'server/test/http/openapi-compatibility.ts',
    from: 'if (!kept) return [`the security scheme',
    to: 'if (kept === null) return [`the security scheme',
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'a response may lose its list of codes',
    file: 'server/test/http/openapi-compatibility.ts',
    from: 'return old ? [`',
    to: 'return old === null ? [`',
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'a response without a list of codes may get a shorter one',
    file: 'server/test/http/openapi-compatibility.ts',
    from: '(old ?? ofStatus)',
    to: '(old ?? [])',
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'the version of the interface may go back',
    file: 'server/test/http/openapi-compatibility.ts',
    from: '{ numeric: true }) < 0',
    to: '{ numeric: true }) < -1',
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'an operation may become costly',
    file: 'server/test/http/openapi-compatibility.ts',
    from: "after['x-costly'] && !before['x-costly']",
    to: "!after['x-costly'] && before['x-costly']",
    tests: ['server/test/http/openapi-compatibility.test.ts'],
  },
  {
    name: 'a release has a lower version than the one before',
    file: `${RELEASE}/next-version.ts`,
    from: 'label === otherLabel) return byNumbers > 0;',
    to: 'label === otherLabel) return true;',
    tests: ['test/release/versions.test.ts'],
  },
  {
    name: 'a pre-release is higher than its version',
    file: `${RELEASE}/next-version.ts`,
    from: 'return label === undefined;',
    to: 'return label !== undefined;',
    tests: ['test/release/versions.test.ts'],
  },
  {
    name: 'a version that has a tag is released again',
    file: `${RELEASE}/unreleased.ts`,
    from: "git('tag', '--list',",
    to: "git('branch', '--list',",
    tests: ['test/release/versions.test.ts'],
  },
  {
    name: 'a release contains changes that no commit describes',
    file: `${RELEASE}/unreleased.ts`,
    from: "if (changed !== '')",
    to: "if (changed.startsWith('A'))",
    tests: ['test/release/versions.test.ts'],
  },
];
