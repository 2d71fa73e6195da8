import type { Mutation } from '../../mutation.ts';

const WEB = 'web/src';
const CODE = ['web/test/shell/late-code.test.ts'];
const STREAM = ['web/test/shell/live-stream.test.ts'];
const OFFLINE = ['web/test/offline.test.ts'];
const JOURNEY = ['web/test/shell/connection.test.ts'];

/** What the dashboard does without a connection, and how it says why something failed. */
export const DASHBOARD_CONNECTION: readonly Mutation[] = [
  {
    name: 'the worker does not serve the page of the first visit',
    file: `${WEB}/offline/service-worker.ts`,
    from: '  await worker.clients.claim();\n',
    to: '',
    tests: OFFLINE,
  },
  {
    name: 'a change between the reading of a page and the begin of the stream is missed',
    file: `${WEB}/live/use-live.ts`,
    from: '  await movementStream.settled();\n',
    to: '',
    tests: JOURNEY,
  },
  {
    name: 'a pet that changed before the stream began is not read again',
    file: `${WEB}/live/use-live.ts`,
    from: "if (movementStream.status.state === 'live') again();",
    to: '',
    tests: JOURNEY,
  },
  {
    name: 'a change is missed while a pet is read and the stream begins',
    file: `${WEB}/live/read-again.ts`,
    from: "{ queryKey, fetchStatus: 'fetching' }",
    to: "{ queryKey, fetchStatus: 'paused' }",
    tests: ['web/test/shell/read-again.test.ts'],
  },
  {
    name: 'a key that is made while the list is read for the first time is missed',
    file: `${WEB}/pages/access/access-api.ts`,
    from: "return () => readAgain(queries, ['access']);",
    to: "return () => queries.invalidateQueries({ queryKey: ['access'] });",
    tests: ['web/test/access/access.test.ts'],
  },
  {
    name: 'code that failed to load is never loaded again',
    file: `${WEB}/loading/late-code.ts`,
    from: 'if (this.#hasFailed) this.#attempt = undefined;',
    to: '',
    tests: CODE,
  },
  {
    name: 'one part that fails keeps all later code from being loaded',
    file: `${WEB}/loading/late-code.ts`,
    from: 'await code.load().catch(() => {});',
    to: 'if (!(await code.load().then(() => true, () => false))) return;',
    tests: CODE,
  },
  {
    name: 'an import fails for good because its files were not fetched before',
    file: 'web/build/fetch-first.ts',
    from: 'vite\\/preload-helper',
    to: 'vite\\/another-helper',
    tests: JOURNEY,
  },
  {
    name: 'a style sheet that failed is not requested again',
    file: `${WEB}/loading/fetch-first.ts`,
    from: 'added.catch(() => styles.delete(url));',
    to: 'added.catch(() => {});',
    tests: JOURNEY,
  },
  {
    name: 'pages are loaded when they are opened, and not before',
    file: `${WEB}/loading/use-all-code.ts`,
    from: 'void loadAllCode(pause)',
    to: 'void pause()',
    tests: JOURNEY,
  },
  {
    name: 'the page says "Live" long after the stream is silent',
    file: `${WEB}/live/movement-stream.ts`,
    from: 'SILENCE_MS = 18_000',
    to: 'SILENCE_MS = 40_000',
    tests: STREAM,
  },
  {
    name: 'an attempt to open the stream never ends',
    file: `${WEB}/live/movement-stream.ts`,
    from: 'AbortSignal.any([signal, opening.signal, silence.signal])',
    to: 'signal',
    tests: STREAM,
  },
  {
    name: 'a service that answers nothing is not noticed',
    file: `${WEB}/live/movement-stream.ts`,
    from: 'if (isLost) this.lose();',
    to: '',
    tests: STREAM,
  },
  {
    name: 'requests wait although the service was found not to answer',
    file: `${WEB}/api/client.ts`,
    from: 'for (const limit of waiting) limit.end();',
    to: '',
    tests: STREAM,
  },
  {
    name: 'a slow request is no reason to look for the service',
    file: `${WEB}/api/client.ts`,
    from: 'setTimeout(() => onDoubt(), SLOW_MS)',
    to: 'setTimeout(() => {}, SLOW_MS)',
    tests: STREAM,
  },
  {
    name: 'a request has no time limit',
    file: `${WEB}/api/client.ts`,
    from: 'const signals = [limit.signal, reading',
    to: 'const signals = [reading',
    tests: STREAM,
  },
  {
    name: 'English messages of the service are shown as texts of the page',
    file: `${WEB}/texts/error-text.ts`,
    from: '(!isKnown || DETAILED.has(code)) ? withDetail(text, detail) : text',
    to: '(!isKnown || DETAILED.has(code)) ? detail : text',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'an error code has no German text',
    file: `${WEB}/texts/de/errors.ts`,
    from: "'Das gibt es nicht mehr.'",
    to: "'It does not exist any more.'",
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'a part of the dashboard shows the message of an error',
    file: `${WEB}/components/states/error-state.tsx`,
    from: 'errorText(error)}',
    to: '(error as Error).message}',
    tests: ['web/test/shell/error-texts.test.ts'],
  },
  {
    name: 'a page that is kept claims that there is no session',
    file: `${WEB}/offline/service-worker.ts`,
    from: `text.replace('name="session" content="none"', 'name="session" content=""')`,
    to: `text.replace('name="session" content=""', 'name="session" content="none"')`,
    tests: OFFLINE,
  },
  {
    name: 'a page is not opened from what is kept',
    file: `${WEB}/offline/service-worker.ts`,
    from: 'return first ?? (await caches.match(PAGE)) ?? fresh',
    to: 'return first ?? fresh',
    tests: OFFLINE,
  },
  {
    name: 'the list of the first visit is not kept',
    file: `${WEB}/offline/service-worker.ts`,
    from: 'if (rows.ok) await keepRows(rows);',
    to: '',
    tests: OFFLINE,
  },
  {
    name: 'a new build deletes the files of open pages',
    file: `${WEB}/offline/service-worker.ts`,
    from: 'shells.slice(0, -1)',
    to: 'shells',
    tests: OFFLINE,
  },
  {
    name: 'the pets stay in the browser after the session',
    file: `${WEB}/offline/kept-shop.ts`,
    from: "if ('caches' in globalThis) void caches.delete(DATA).catch(() => {});",
    to: '',
    tests: OFFLINE,
  },
];
