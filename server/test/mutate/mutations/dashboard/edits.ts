import type { Mutation } from '../../mutation.ts';

const WEB = '../../web/src';
const STOCK_WORK = ['dashboard/journeys/stock-work.long.ts'];

/** What keeps edits of people in the dashboard from being lost, or made two times. */
export const DASHBOARD_EDITS: readonly Mutation[] = [
  {
    name: 'a field in which nothing is typed sets the change of somebody else back',
    file: `${WEB}/pages/stock/table/quantity-input.tsx`,
    from: "useState(typed === '' ? undefined : typed)",
    to: "useState(typed === '' ? String(current) : typed)",
    tests: STOCK_WORK,
  },
  {
    name: 'what is typed in a row is lost when it scrolls out of view',
    file: `${WEB}/pages/stock/table/stock-table.tsx`,
    from: 'withRow(defaultRangeExtractor(range), editedAt)',
    to: 'withRow(defaultRangeExtractor(range), -1)',
    tests: STOCK_WORK,
  },
  {
    name: 'the row of the keyboard moves to another pet when rows come',
    file: `${WEB}/pages/stock/table/use-active-row.ts`,
    from: 'petIdAt(active.position) === petId)',
    to: 'petId)',
    tests: STOCK_WORK,
  },
  {
    name: 'a bulk change whose answer was lost is another request',
    file: `${WEB}/pages/stock/adjust/use-apply.ts`,
    from: 'const sent = known ?? ',
    to: 'const sent = (known, undefined) ?? ',
    tests: STOCK_WORK,
  },
  {
    name: 'a change is lost with the session',
    file: `${WEB}/api/client.ts`,
    from: "if (method !== 'GET' && (await",
    to: "if (method === 'NONE' && (await",
    tests: ['dashboard/journeys/sessions.long.ts'],
  },
  {
    name: 'pages of a session that ended are seen by the next person',
    file: `${WEB}/app/routes.tsx`,
    from: '<Activity key={shown.keyId} ',
    to: '<Activity ',
    tests: ['dashboard/journeys/sessions.long.ts'],
  },
  {
    name: 'an edit of a pet replaces what the person typed by what somebody else set',
    file: `${WEB}/pages/pet/edit-dialog.tsx`,
    from: 'isMine(field) ? values[field] : now[field]',
    to: 'now[field]',
    tests: ['dashboard/pet.test.ts'],
  },
  {
    name: 'a count is undone over the change of somebody else',
    file: `${WEB}/counts/undo-count.ts`,
    from: 'body: { changeFromQuantity: counted }, ',
    to: 'body: {}, ',
    tests: ['dashboard/count/count.long.ts'],
  },
  {
    name: 'a count that may be recorded is withdrawn in the browser alone',
    file: `${WEB}/counts/count-sender.ts`,
    from: 'this.#queue.update(count.id, { isTried: true });',
    to: '',
    tests: ['dashboard/count/count-queue.test.ts'],
  },
  {
    name: 'a full storage stops the queue of counts',
    file: `${WEB}/counts/count-queue.ts`,
    from: 'this.#unkept.set(id, changed);',
    to: "throw new QueueFullError('The browser has no room for the change.');",
    tests: ['dashboard/count/count-queue.test.ts'],
  },
  {
    name: 'the second click of a double click undoes another change',
    file: `${WEB}/components/stray-clicks.ts`,
    from: 'event.stopImmediatePropagation();',
    to: '',
    tests: STOCK_WORK,
  },
  {
    name: 'a slow answer is taken for a wrong clock',
    file: `${WEB}/api/service-clock.ts`,
    from: 'Math.max(0, atMs - receivedAtMs)',
    to: 'atMs - receivedAtMs',
    tests: ['dashboard/service-clock.test.ts'],
  },
];
