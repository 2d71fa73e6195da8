import type { Mutation } from '../mutation.ts';

const DOMAIN = 'server/src/domain/management/reports';
const STORE = 'server/src/store/admin/report-store.ts';
const SQL = 'server/src/store/reports/report-sql.ts';
const HTTP = 'server/src/http/admin/reports/movements.ts';
const PAGE = 'web/src/pages/reports';
const REPORTS = ['server/test/reports/reports.test.ts'];
const FILES = ['server/test/reports/report-files.test.ts'];
const CALENDAR = ['server/test/reports/calendar.test.ts'];
const BROWSER = ['web/test/reports.test.ts'];

/** Reports from the ledger: what their numbers, their pages and their refusals must keep. */
export const REPORT_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a month ends one movement early',
    file: `${DOMAIN}/movement-report.ts`,
    from: 'periods.map(({ endedAtMs }) => endedAtMs - 1)',
    to: 'periods.map(({ endedAtMs }) => endedAtMs - 86_400_000)',
    tests: REPORTS,
  },
  {
    name: 'a period includes the movement at its end',
    file: `${DOMAIN}/movement-report.ts`,
    from: '[(fromMs ?? 1) - 1, (toMs ?? 1) - 1]',
    to: '[(fromMs ?? 1) - 1, toMs ?? 1]',
    tests: REPORTS,
  },
  {
    name: 'a period before a prune is reported in part',
    file: `${DOMAIN}/movement-report.ts`,
    from: 'if (start.sequence > 0 && (isCut(fromMs) || isCut(toMs))) throw pruned(start);',
    to: 'if (start.sequence > 0 && isCut(fromMs)) throw pruned(start);',
    tests: REPORTS,
  },
  {
    name: 'a period that ends before a prune is empty',
    file: `${DOMAIN}/movement-report.ts`,
    from: '(isCut(fromMs) || isCut(toMs))',
    to: '(isCut(fromMs) && isCut(toMs))',
    tests: REPORTS,
  },
  {
    name: 'rows of a month are not by their reason',
    file: `${DOMAIN}/movement-report.ts`,
    from: 'const placeOfReason = (reason: Reason | null) => (reason === null ? -1 : REASONS.indexOf(reason));',
    to: 'const placeOfReason = (reason: Reason | null) => (reason === null ? 99 : -REASONS.indexOf(reason));',
    tests: REPORTS,
  },
  {
    name: 'the chain of a pet with many movements is cut',
    file: SQL,
    from: 'THEN next END AS open',
    to: 'THEN NULL END AS open',
    tests: REPORTS,
  },
  {
    name: 'a page of a report leaves out rows of a pet that no page has shown',
    file: 'server/src/http/admin/reports/report-parts.ts',
    from: 'if (left > 0 && row.petId === shown?.petId) left -= 1;',
    to: 'if (left > 0) left -= 1;',
    tests: REPORTS,
  },
  {
    name: 'a report of the command line writes CSV into a file of another format',
    file: 'server/src/cli/reports.ts',
    from: 'csvInside(file, REPORT_FORMATS)',
    to: 'undefined',
    tests: ['server/test/cli/reports.test.ts'],
  },
  {
    name: 'a date of a report on the command line begins in UTC',
    file: 'server/src/cli/reports.ts',
    from: '(timeZone) => dayBegin(text, timeZone)',
    to: '() => atMs',
    tests: ['server/test/cli/reports.test.ts'],
  },
  {
    name: 'a page of a report repeats the rows of the page before',
    file: 'server/src/http/admin/reports/report-parts.ts',
    from: 'if (left > 0 && row.petId === shown?.petId) left -= 1;',
    to: 'if (left < 0) left -= 1;',
    tests: REPORTS,
  },
  {
    name: 'movements after the end of a period are in its last month',
    file: STORE,
    from: 'if (period < ends.length) sums.add(',
    to: 'sums.add(',
    tests: REPORTS,
  },
  {
    name: 'a pet that was deleted since is left out of the past',
    file: STORE,
    from: 'if (id === null || (query.category !== undefined && category !== query.category)) return;',
    to: 'if (id === null || category === null) return;',
    tests: REPORTS,
  },
  {
    name: 'the stock of a category has pets of others',
    file: 'server/src/store/reports/report-sql.ts',
    from: ' AND (CAST($5 AS text) IS NULL OR category = $5) GROUP BY 1',
    to: ' AND (CAST($5 AS text) IS NULL OR true) GROUP BY 1',
    tests: REPORTS,
  },
  {
    name: 'the stock of a pet is that of the next one',
    file: 'server/src/store/reports/report-sql.ts',
    from: '(CAST($4 AS bigint) IS NULL OR pet_id = $4)',
    to: '(CAST($4 AS bigint) IS NULL OR true)',
    tests: REPORTS,
  },
  {
    name: 'a page of a report skips a pet',
    file: 'shared/src/pet-id.ts',
    from: 'return petId === MAX_INT64 ? undefined : petId + 1n;',
    to: 'return petId === MAX_INT64 ? undefined : petId + 2n;',
    tests: REPORTS,
  },
  {
    name: 'the stock before a prune is that of its start',
    file: `${DOMAIN}/stock-report.ts`,
    from: 'if (start.sequence > 0 && atMs < start.recordedAtMs) throw pruned(start);',
    to: '',
    tests: REPORTS,
  },
  {
    name: 'rows of a pet come twice on the next page',
    file: HTTP,
    from: 'const before = from?.petId === last ? from.rows : 0;',
    to: 'const before = 0;',
    tests: REPORTS,
  },
  {
    name: 'a surplus reduces the shortage',
    file: `${DOMAIN}/variance-report.ts`,
    from: 'shortage: variance < 0n ? -variance : 0n,',
    to: 'shortage: -variance,',
    tests: REPORTS,
  },
  {
    name: 'months of an offset begin in UTC',
    file: `${DOMAIN}/calendar.ts`,
    from: 'return (atMs) => new Date(atMs + shiftMs);',
    to: 'return (atMs) => new Date(atMs);',
    tests: CALENDAR,
  },
  {
    name: 'a day that a time zone left out is a day',
    file: `${DOMAIN}/calendar.ts`,
    from: 'if (endedAtMs > beganAtMs) periods.push(',
    to: 'periods.push(',
    tests: CALENDAR,
  },
  {
    name: 'rows per day have no bound',
    file: `${DOMAIN}/calendar.ts`,
    from: 'placeOf(toMs) - first >= MAX_REPORT_DAYS',
    to: 'placeOf(toMs) - first > MAX_REPORT_DAYS',
    tests: CALENDAR,
  },
  {
    name: 'a sheet has more rows than a spreadsheet reads',
    file: `${DOMAIN}/report-file.ts`,
    from: "if (format === 'xlsx' && rows > most) {",
    to: "if (format === 'xlsx' && rows < 0) {",
    tests: FILES,
  },
  {
    name: 'the dashboard shows the stock at the begin of a day',
    file: `${PAGE}/report-address.ts`,
    from: "const next = day === '' ? undefined : dayStart(day, 1);",
    to: "const next = day === '' ? undefined : dayStart(day);",
    tests: BROWSER,
  },
  {
    name: 'the last day of a period is left out',
    file: `${PAGE}/report-address.ts`,
    from: "to: until === '' ? undefined : dayStart(until, 1),",
    to: "to: until === '' ? undefined : dayStart(until),",
    tests: BROWSER,
  },
  {
    name: 'units of many pets are rounded',
    file: `${PAGE}/units.ts`,
    from: 'return String(rows.reduce((sum, row) => sum + BigInt(unitsOf(row)), 0n));',
    to: 'return String(rows.reduce((sum, row) => sum + Number(unitsOf(row)), 0));',
    tests: BROWSER,
  },
  {
    name: 'the overview counts what an order delivered as nothing',
    file: 'web/src/pages/overview/trade.ts',
    from: "const trade = kind === 'deliver' ?",
    to: "const trade = kind === 'return' ?",
    tests: ['web/test/trade.test.ts'],
  },
  {
    name: 'the overview counts a sale that was taken back',
    file: 'web/src/pages/overview/trade.ts',
    from: "tradeOfReason(kind === 'revert' ? revertedReason : reason)",
    to: 'tradeOfReason(reason)',
    tests: ['web/test/trade.test.ts'],
  },
  {
    name: 'the overview counts the undo of units that a sale added as a sale',
    file: 'web/src/pages/overview/trade.ts',
    from: 'const added = BigInt(unitsIn) - BigInt(unitsOut);',
    to: "const added = (kind === 'revert' || reason === 'received' || reason === 'restock' ? BigInt(unitsIn) : 0n) - BigInt(unitsOut);",
    tests: ['web/test/trade.test.ts'],
  },
  {
    name: 'the undo of an undo has no reason in a report',
    file: 'server/src/store/reports/report-sql.ts',
    from: "earlier.kind = 'revert' AND reverts <",
    to: "earlier.kind = 'thresholds' AND reverts <",
    tests: ['server/test/reports/reports.test.ts'],
  },
  {
    name: 'the overview shows nothing of days whose days before are deleted',
    file: 'web/src/pages/overview/trade.ts',
    from: "if (!isApiError(error, 'history_pruned')) throw error;",
    to: 'if (isApiError(error)) throw error;',
    tests: ['web/test/trade.test.ts'],
  },
  {
    name: 'the report of the overview is per month',
    file: 'web/src/pages/overview/trade-chart.tsx',
    from: '/reports/movements?per=day&from=',
    to: '/reports/movements?from=',
    tests: BROWSER,
  },
];
