import type { Mutation } from '../mutation.ts';

const STORE = 'server/src/store/admin/saved-view-store.ts';
const HTTP = 'server/src/http/admin/saved-views.ts';
const TESTS = ['server/test/admin/saved-views.test.ts'];

/** Saved views of persons. */
export const SAVED_VIEWS: readonly Mutation[] = [
  {
    name: 'views: a key that replaced another one has none',
    file: STORE,
    from: 'return first?.id ?? keyId;',
    to: 'return keyId;',
    tests: TESTS,
  },
  {
    name: 'views: the chain of rotations ends after one key',
    file: 'server/src/store/access/key-row.ts',
    from: 'UNION SELECT earlier.id, earlier.rotated_from FROM',
    to: 'UNION SELECT earlier.id, NULL FROM',
    tests: TESTS,
  },
  {
    name: 'views: the condition is ignored',
    file: STORE,
    from: `if (ifMatch !== '*' && !ifMatch.includes(toViews(found).tag))`,
    to: `if (ifMatch !== '*' && ifMatch.includes('none'))`,
    tests: TESTS,
  },
  {
    name: 'views: the version does not change',
    file: STORE,
    from: 'version: found.version + 1,',
    to: 'version: found.version,',
    tests: TESTS,
  },
  {
    name: 'views: the tag after a restored backup is that of lost views',
    file: STORE,
    from: "hash('sha256', views, 'base64url')",
    to: "hash('sha256', '', 'base64url')",
    tests: TESTS,
  },
  {
    name: 'views: the second replacement is not written',
    file: STORE,
    from: 'views = excluded.views`',
    to: 'views = saved_views.views`',
    tests: TESTS,
  },
  {
    name: 'views: names differ by their case',
    file: HTTP,
    from: 'name.toLowerCase()',
    to: 'name',
    tests: TESTS,
  },
  {
    name: 'views: names are unique over all lists',
    file: HTTP,
    from: '{list} $',
    to: '{String()} $',
    tests: TESTS,
  },
  {
    name: 'views: one default over all lists',
    file: HTTP,
    from: 'defaults.add(list);',
    to: `defaults.add('stock').add('orders');`,
    tests: TESTS,
  },
  {
    name: 'views: several defaults of a list',
    file: HTTP,
    from: 'if (isDefault && defaults.has(list)) {',
    to: 'if (!isDefault && defaults.has(list)) {',
    tests: TESTS,
  },
  {
    name: 'views: a query may have spaces',
    file: HTTP,
    from: '.regex(/^[!-~]*$/, QUERY_RULE)',
    to: '.regex(/^[ -~]*$/, QUERY_RULE)',
    tests: TESTS,
  },
  {
    name: 'views: a query may have any length',
    file: HTTP,
    from: `    .max(MAX_VIEW_QUERY, QUERY_RULE)
`,
    to: '',
    tests: TESTS,
  },
  {
    name: 'views: a name is not checked',
    file: HTTP,
    from: `if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });`,
    to: '',
    tests: TESTS,
  },
  {
    name: 'views: any number is accepted',
    file: HTTP,
    from: `  .max(MAX_SAVED_VIEWS, LIST_RULE)
`,
    to: '',
    tests: TESTS,
  },
];
