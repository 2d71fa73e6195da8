import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SIMULATION } from '../../server/test/mutate/mutations/simulation.ts';
import { GUIDES } from '../../web/build/guides.ts';

const ROOT = new URL('../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/guarantees.md', ROOT), 'utf8');
const TEST_FILE = /`((?:server|client|web|test)\/[\w./-]+\.ts)`/g;

/** The rows of promises and of runs, in all tables. */
const PROMISES = PAGE.split('\n').filter((line) => /^\| (?!promise|test|---)/.test(line));

test('every promise names a test, and every named test exists', () => {
  assert.ok(PROMISES.length > 30);
  for (const promise of PROMISES) assert.match(promise, /\.(?:test|long)\.ts` /);
  const files = [...PAGE.matchAll(TEST_FILE)].map(([, file]) => file as string);
  const missing = files.filter((file) => !existsSync(new URL(file, ROOT)));
  assert.deepEqual(missing, []);
});

test('every long test that a promise names has its last run', () => {
  const [promises = '', runs = ''] = PAGE.split('## Last runs');
  const named = [...new Set([...promises.matchAll(TEST_FILE)].map(([, file]) => file as string))];
  const missing = named.filter((file) => file.endsWith('.long.ts') && !runs.includes(`| \`${file}\` | `));
  assert.deepEqual(missing, []);
});

test('the page has the number of faults of ordering that are planted', () => {
  assert.ok(PAGE.includes(`mutants.long.ts\` finds ${SIMULATION.length} faults of ordering`));
});

test('the commands of the page run on the Node of the lockfile: an older one reads no TypeScript', () => {
  assert.match(PAGE, /npx node /);
  assert.doesNotMatch(PAGE, /(?:^|`)node /m);
});

/** Pages with tables that the service does not show. */
const OTHER_PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'deploy/README.md',
  'bench/README.md',
  'docs/figures.md',
];

test('each row of a table has as many cells as its heading: a page hides those beyond', () => {
  const misshapen: string[] = [];
  for (const path of [...GUIDES, ...OTHER_PAGES]) {
    let cells: number | undefined;
    for (const line of readFileSync(new URL(path, ROOT), 'utf8').split('\n')) {
      const found = line.startsWith('|') ? line.replaceAll('\\|', '').split('|').length : undefined;
      if (found !== undefined && found !== (cells ?? found)) misshapen.push(`${path}: ${line.slice(0, 80)}`);
      cells = found === undefined ? undefined : (cells ?? found);
    }
  }
  assert.deepEqual(misshapen, []);
});

/** Promises that other pages make too. Each page must have these words, so that none of them changes alone. */
const REPEATED = {
  'SECURITY.md': [
    'callers without a valid key, and strikes, are counted per instance',
    'A receiver that fails or hangs delays no other by more than a second, and its response does not fill the memory',
    'Revoked keys, plans and bans are effective everywhere within 5 seconds',
  ],
  'docs/growing.md': [
    'exactly as many requests as the plan allows are admitted over all instances',
    'by the clock of the database; callers without a valid key, and strikes, are counted per instance',
    'revoked keys, plans and bans are effective everywhere within 5 seconds',
    'a list includes every change that was acknowledged before its request',
    'a read replica serves history and past lists only',
    'an order expires at its time, not before, exactly once over all instances',
    'within 5 seconds of the return of the database every instance serves again',
    'a server whose settings make promises false is refused, at the start and later',
    'no request fails while instances restart one by one',
    'longer than the load balancer needs',
    'an interrupted move never leaves two databases that are served',
    'a change that is expected to wait for more than 1.5 s for the database, or behind 10,000 others, is refused immediately, with 503 and `Retry-After: 1`; an accepted one is never dropped',
    'reads are not refused, except on PostgreSQL while their own statement would wait that long',
    'after a crash of the server the last half second of counts may be forgotten',
    'an asynchronous standby can lose acknowledged changes',
    'no lost connection ends a process',
  ],
  'docs/webhooks.md': [
    'at least once',
    'a receiver that fails or hangs delays no other by more than a second',
    'an event is sent again only after a lost response, a kill, a lost database, a full disk or a change of the endpoint',
    'more than 256 receivers',
  ],
  'docs/operating.md': [
    'an upload never takes the room that changes need',
    'after an error, a signal or a kill the database is as it was',
    'within `PETSTORE_DRAIN_TIMEOUT`',
  ],
  'docs/management.md': [
    'an import is applied exactly once, or not at all, wherever it is interrupted',
    'it can take 75 seconds until another instance continues',
    'a bulk change that is interrupted continues where it was: each pet is changed once, and only as it was planned',
  ],
  'docs/ledger.md': [
    'a clock that is more than 24 hours ahead of the time since the start',
    'a prune that is killed leaves a ledger that is intact',
  ],
  'docs/runbook.md': [
    'a stop finishes the running requests and loses no data',
    'a change is acknowledged only after its fsync',
    'no acknowledged change is lost when a process is killed',
    'within 5 seconds of the return of the database every instance serves again',
    'a full disk refuses changes, serves lists, and accepts changes as soon as there is room',
    'each event arrives at least once, in order',
    'after 3 days of failures an endpoint is paused',
  ],
  'deploy/README.md': [
    'longer than the load balancer needs',
    'no request fails while instances restart one by one',
    'the same `Idempotency-Key` has one effect',
  ],
  'docs/upgrading.md': [
    'longer than the load balancer needs',
    'no request fails while instances restart one by one',
  ],
  'README.md': ['at least once'],
};

for (const [name, promises] of Object.entries(REPEATED)) {
  test(`the promises of ${name} have the words of the guarantees`, () => {
    const pages = [PAGE, readFileSync(new URL(name, ROOT), 'utf8')].map(words);
    const changed = promises.filter((promise) => !pages.every((page) => page.includes(words(promise))));
    assert.deepEqual(changed, []);
  });
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').toLowerCase();
}
