import type { Mutation } from '../mutation.ts';

/** The pages of the dashboard. */
export const DASHBOARD: readonly Mutation[] = [
  {
    name: 'all pages have the same nonce',
    file: 'http/dashboard/dashboard.ts',
    from: "randomBytes(16).toString('base64url')",
    to: "Buffer.alloc(16).toString('base64url')",
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'a page may run scripts of its own text',
    file: 'http/dashboard/dashboard.ts',
    from: `"script-src 'self'",`,
    to: `"script-src 'self' 'unsafe-inline'",`,
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'a page is cached with its nonce',
    file: 'http/dashboard/dashboard.ts',
    from: "'Cache-Control': 'no-store',",
    to: "'Cache-Control': FOR_EVER,",
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'programs get the page where there is none',
    file: 'http/dashboard/dashboard.ts',
    from: " && (context.header('accept') ?? '').includes('text/html')",
    to: '',
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'any path is a page',
    file: 'http/dashboard/dashboard.ts',
    from: 'PAGES.has(first) && (',
    to: '(',
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'compressed files are resources of their own',
    file: 'http/dashboard/built-files.ts',
    from: 'name !== DOCS && !COMPRESSED.test(name)',
    to: 'name !== DOCS',
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'the page is served with its mark in place of a nonce',
    file: 'http/dashboard/built-files.ts',
    from: 'if (name !== INDEX && name',
    to: 'if (name',
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'each page has a line of its own in the metrics',
    file: 'app.ts',
    from: "this.#answerService(context, page, 'dashboard')",
    to: 'this.#answerService(context, page, context.path)',
    tests: ['dashboard/serving/missing-build.test.ts'],
  },
  {
    name: 'all codings of a file have one tag',
    file: 'http/request/variants.ts',
    from: 'const { bytes, tag } = variants[coding] as Variant;',
    to: 'const { bytes } = variants[coding] as Variant;\n  const { tag } = variants.identity;',
    tests: ['dashboard/serving/serving.test.ts'],
  },
  {
    name: 'a build that failed replaces the one before',
    file: 'cli/dashboard/build-dashboard.ts',
    from: 'if (failure !== undefined) {',
    to: 'if (failure === undefined) {',
    tests: ['dashboard/serving/build-dashboard.test.ts'],
  },
  {
    name: 'the dashboard is not built again after a source was removed',
    file: 'cli/dashboard/build-dashboard.ts',
    from: 'return Math.max(stats.mtimeMs, ...times);',
    to: 'return Math.max(0, ...times);',
    tests: ['dashboard/serving/build-dashboard.test.ts'],
  },
  {
    name: 'a page that another site opened believes that there is no session',
    file: 'http/dashboard/dashboard.ts',
    from: 'return isOwn && names.every',
    to: 'return names.every',
    tests: ['dashboard/serving/serving.test.ts'],
  },
];
