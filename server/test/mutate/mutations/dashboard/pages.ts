import type { Mutation } from '../../mutation.ts';

const WEB = '../../web/src';

/** What the pages of the dashboard show and protect. The tests build them again. */
export const DASHBOARD_PAGES: readonly Mutation[] = [
  {
    name: 'the secret of a rotated key goes away when the old key ends',
    file: `${WEB}/pages/access/keys/key-drawer.tsx`,
    from: "{dialog === 'rotate' && ",
    to: "{found.state === 'active' && dialog === 'rotate' && ",
    tests: ['dashboard/access/access.test.ts'],
  },
  {
    name: 'Escape closes a drawer together with the dialog over it',
    file: `${WEB}/components/route-drawer.tsx`,
    from: `if (document.querySelectorAll('[role="dialog"]').length === 1) latest`,
    to: 'latest',
    tests: ['dashboard/access/access.test.ts'],
  },
  {
    name: 'Escape closes the dialog of a secret',
    file: `${WEB}/components/secrets/secret-dialog.tsx`,
    from: 'closeOnEscape={false}',
    to: '',
    tests: ['dashboard/access/access.test.ts'],
  },
  {
    name: 'a key is revoked without its name',
    file: `${WEB}/components/confirm-by-name.tsx`,
    from: 'isReady={typed.trim() === name}',
    to: 'isReady',
    tests: ['dashboard/access/access.test.ts'],
  },
  {
    name: 'a dialog leaves the focus nowhere when it closes',
    file: `${WEB}/components/dialogs/use-returned-focus.ts`,
    from: 'opener.isConnected) opener.focus()',
    to: 'opener.isConnected) opener.blur()',
    tests: ['dashboard/journeys/focus-order.long.ts'],
  },
  {
    name: 'a button works without the role that it needs',
    file: `${WEB}/session/role-button.tsx`,
    from: 'if (isAllowed) return',
    to: 'return',
    tests: ['dashboard/access/access.test.ts'],
  },
  {
    name: 'the response of a receiver becomes HTML',
    file: `${WEB}/pages/webhooks/attempt-details.tsx`,
    from: '<pre className={styles.body}>{attempt.response}</pre>',
    to: '<pre dangerouslySetInnerHTML={{ __html: attempt.response }} />',
    tests: ['dashboard/webhooks/webhook-endpoints.long.ts'],
  },
  {
    name: 'a replay that skips events says that it repeats them',
    file: `${WEB}/pages/webhooks/replay-dialog.tsx`,
    from: 'const isSkip = difference > 0;',
    to: 'const isSkip = false;',
    tests: ['dashboard/webhooks/webhook-endpoints.long.ts'],
  },
  {
    name: 'a count that is made while another is answered waits for the timer',
    file: `${WEB}/counts/count-sender.ts`,
    from: 'for (let isReached = true; isReached && this.#queue.next(keyId); ) {\n        isReached =',
    to: 'if (this.#queue.next(keyId)) {',
    tests: ['dashboard/count/count-queue.test.ts'],
  },
  {
    name: 'the end of what a person types is the code of a hand scanner',
    file: `${WEB}/pages/count/scan-burst.ts`,
    from: 'const isQuick = atMs - this.#firstMs <= MEAN_GAP_MS * code.length;',
    to: 'const isQuick = atMs - this.#firstMs <= QUIET_MS;',
    tests: ['dashboard/count/count-queue.test.ts'],
  },
  {
    name: 'the next pet drops what was typed for the one before',
    file: `${WEB}/pages/count/count-page.tsx`,
    from: "if (counting.row && typed !== '' && !counting.save(typed)) return counting.type(typed);",
    to: '',
    tests: ['dashboard/count/count.test.ts'],
  },
  {
    name: 'Enter in the palette opens a pet of another search',
    file: `${WEB}/app/shell/palette.tsx`,
    from: 'isPlaceholderData ? data.filter((pet) => hasWords(pet, words)) : data',
    to: 'data',
    tests: ['dashboard/shell/searches.test.ts'],
  },
  {
    name: 'an attempt to send a count has no time limit',
    file: `${WEB}/counts/send-count.ts`,
    from: 'AbortSignal.timeout(ATTEMPT_MS)',
    to: 'new AbortController().signal',
    tests: ['dashboard/journeys/hand-scanner.long.ts'],
  },
  {
    name: 'Enter adds a picked pet to an order twice',
    file: `${WEB}/pages/orders/new-order.tsx`,
    from: 'before.some((line) => line.pet.petId === pet.petId) ? before : [...before',
    to: "pet.petId === '' ? before : [...before",
    tests: ['dashboard/journeys/keyboard.long.ts'],
  },
  {
    name: 'an edit without an answer is called a failure',
    file: `${WEB}/pages/stock/stock-page.tsx`,
    from: 'isUnknown ? now.stock.unanswered(name) : now.stock.failed(name, why)',
    to: 'isUnknown && name === why ? now.stock.unanswered(name) : now.stock.failed(name, why)',
    tests: ['dashboard/journeys/connection.long.ts'],
  },
  {
    name: 'a delivery replaces the stock',
    file: `${WEB}/pages/imports/imports-api.ts`,
    from: 'query: { fileName: name.slice(0, 200), mode }',
    to: "query: { fileName: name.slice(0, 200), mode: mode === 'add' ? 'set' : mode }",
    tests: ['dashboard/imports/imports.test.ts'],
  },
];
