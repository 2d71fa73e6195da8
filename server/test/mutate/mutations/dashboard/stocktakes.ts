import type { Mutation } from '../../mutation.ts';

const COUNTS = 'web/src/counts';
const COUNT_PAGE = 'web/src/pages/count';
const PAGES = 'web/src/pages/stocktakes';
const SENDING = ['web/test/shell/sent-changes.test.ts'];
const QUEUE = ['web/test/count/count-queue.test.ts'];
const BROWSER = ['web/test/stocktakes.test.ts'];

/** Counts for a stock-take, and its pages. */
export const DASHBOARD_STOCKTAKES: readonly Mutation[] = [
  {
    name: 'a close of many pets is silent until its end',
    file: `${PAGES}/stocktake-actions.tsx`,
    from: 'work={close.work}',
    to: '',
    tests: BROWSER,
  },
  {
    name: 'a refused close names no pet with a link',
    file: 'web/src/components/dialogs/use-submit.ts',
    from: 'setPets(petsInTheWayOf(error));',
    to: '',
    tests: BROWSER,
  },
  {
    name: 'a running stock-take cannot be cancelled on its page',
    file: `${PAGES}/stocktake-actions.tsx`,
    from: "onClick={() => setDialog('cancel')}",
    to: '',
    tests: BROWSER,
  },
  {
    name: 'a count of a stock-take goes past it',
    file: `${COUNTS}/send-count.ts`,
    from: 'if (stocktakeId !== undefined) {',
    to: "if (stocktakeId === '') {",
    tests: SENDING,
  },
  {
    name: 'a count forgets that the stock stays until the close',
    file: `${COUNTS}/send-count.ts`,
    from: ', ...(quantity !== stockAfter(count) && { stock: quantity }) };',
    to: ' };',
    tests: SENDING,
  },
  {
    name: 'a late count replaces a newer one of another person',
    file: `${COUNTS}/send-count.ts`,
    from: 'const isFree = isSame || (now.isCount === true && isBefore(now.at, count.countedAt));',
    to: 'const isFree = isSame || now.isCount === true;',
    tests: SENDING,
  },
  {
    name: 'a set of a till is a count of the stock-take',
    file: `${COUNTS}/send-count.ts`,
    from: ' && delta === 0 && referenceId === stocktakeId;',
    to: ' && delta === 0 && referenceId !== undefined;',
    tests: SENDING,
  },
  {
    name: 'a count after one that waits for the close expects what was counted',
    file: `${COUNTS}/count-sender.ts`,
    from: 'expected: stockAfter(moved)',
    to: 'expected: moved.counted',
    tests: QUEUE,
  },
  {
    name: 'a pet has the counted quantity before the close posts it',
    file: `${COUNTS}/count.ts`,
    from: "next.state === 'sent' ? stockAfter(next) : next.expected",
    to: "next.state === 'sent' ? next.counted : next.expected",
    tests: QUEUE,
  },
  {
    name: 'a spreadsheet runs a name of a report',
    file: `${PAGES}/report-csv.ts`,
    from: '.map(spreadsheetField)',
    to: '.map(String)',
    tests: ['web/test/stocktake-report.test.ts'],
  },
  {
    name: 'a refused close does not name the pet',
    file: 'web/src/texts/error-text.ts',
    from: "  'insufficient_stock',\n",
    to: '',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'the next visit of the count page counts past the stock-take',
    file: `${COUNT_PAGE}/count-page.tsx`,
    from: "if (named !== '') keepChoice(STOCKTAKE_KEY, named);",
    to: '',
    tests: BROWSER,
  },
  {
    name: 'a count asks about a change that the person saw and that is over',
    file: `${COUNT_PAGE}/use-counting.ts`,
    from: 'tagOf(isSame ? now : row)',
    to: 'tagOf(row)',
    tests: BROWSER,
  },
  {
    name: 'a new stock-take posts with each count, whatever was chosen',
    file: `${PAGES}/start-dialog.tsx`,
    from: 'posting: form.values.posting as StocktakePosting,',
    to: "posting: 'at_count' as StocktakePosting,",
    tests: BROWSER,
  },
  {
    name: 'a viewer has the button that closes a stock-take',
    file: `${PAGES}/stocktake-actions.tsx`,
    from: "isAdministrator && state === 'running' && (",
    to: "state === 'running' && (",
    tests: BROWSER,
  },
  {
    name: 'a count for a closed stock-take cannot be recorded without it',
    file: `${COUNTS}/use-counts.ts`,
    from: 'stocktakeId: undefined,',
    to: '',
    tests: BROWSER,
  },
  {
    name: 'totals that cannot be read are an empty page',
    file: `${PAGES}/stocktake-totals.tsx`,
    from: '{!totals && error !== null && ',
    to: '{totals && error !== null && ',
    tests: BROWSER,
  },
  {
    name: 'paper has the part of the screen too',
    file: `${PAGES}/stocktakes.module.css`,
    from: '  .parts[data-printed],\n',
    to: '',
    tests: BROWSER,
  },
];
