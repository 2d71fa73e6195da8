import type { Mutation } from '../../mutation.ts';

const WEB = 'web/src';

/** The texts of the dashboard about imports and deliveries, by the codes of the service. */
export const DASHBOARD_TEXTS: readonly Mutation[] = [
  {
    name: 'a time of the evening before yesterday is called yesterday',
    file: `${WEB}/texts/format.ts`,
    from: "numeric: 'always'",
    to: "numeric: 'auto'",
    tests: ['web/test/shell/relative-times.test.ts'],
  },
  {
    name: 'the dashboard shows the service’s sentence about a row',
    file: `${WEB}/texts/import-error-text.ts`,
    from: 'if (!Object.hasOwn(importErrors, code)) return',
    to: 'if (message !== undefined) return',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'a German text about a row has numbers as the service sends them',
    file: `${WEB}/texts/import-error-text.ts`,
    from: 'format.quantity(value) : value',
    to: 'value : value',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'a German text about a row leaves a value out',
    file: `${WEB}/texts/de/import-errors.ts`,
    from: '({ petId, earlierLine }) =>',
    to: '({ petId, petId: earlierLine }) =>',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'a value of a file turns the direction of a text about its row',
    file: `${WEB}/texts/isolate.ts`,
    from: '[name, isolatedPart(value)]',
    to: '[name, value]',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'the file of errors has no codes',
    file: `${WEB}/pages/imports/plan/errors-csv.ts`,
    from: 'error.field, error.code,',
    to: "error.field, '',",
    tests: ['web/test/imports/import-mapping.test.ts'],
  },
  {
    name: 'a failed delivery is described in English alone',
    file: `${WEB}/texts/attempt-text.ts`,
    from: 'return text ? text(',
    to: "return text && error === '' ? text(",
    tests: ['web/test/shell/error-texts.test.ts'],
  },
];
