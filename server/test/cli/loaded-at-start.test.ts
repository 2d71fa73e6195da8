import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../support/command-line.ts';
import { LAUNCHER, startUntil } from '../support/launched-process.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

/** Writes the packages that the main thread loads, and its uses of the tables of ICU, to the output. */
const SHOWN = `data:text/javascript,${encodeURIComponent(`
  import module from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  const show = (text) => console.log('USED ' + text);
  if (isMainThread) {
    module.registerHooks({
      load(url, context, next) {
        const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
        if (name) show(name);
        if (/\\/zod\\/.*\\/locales\\/(?!en\\.)/.test(url)) show('languages of zod');
        return next(url, context);
      },
    });
    for (const own of [Number, BigInt, Date]) {
      const { toLocaleString } = own.prototype;
      own.prototype.toLocaleString = function (...given) {
        show('toLocaleString');
        return toLocaleString.apply(this, given);
      };
    }
  }
`)}`;

test('a service on SQLite loads nothing at its start that few shops use', async (t) => {
  if (isSkippedOnBun(t, 'a list of loaded modules')) return;
  const isOpen = (text: string) => text.includes('"msg":"listening"');
  const command = [process.execPath, '--import', SHOWN, LAUNCHER] as const;
  const { text } = await startUntil(
    t,
    temporaryFolder(t),
    ['serve'],
    isOpen,
    { PETSTORE_LOG_LEVEL: 'info' },
    command,
  );
  const used = new Set([...text.matchAll(/^USED (.+)$/gm)].map(([, name]) => name));
  assert.ok(used.has('zod'), 'what is loaded is shown');
  // The driver of PostgreSQL; readers and writers of workbooks, whose tables take V8's optimizing compiler, which is 5 MB; the
  // sending of traces; the formats of languages, which are 4 MB; the parts of prom-client that are not used, with 2 MB of Node's;
  // and messages of zod in other languages.
  for (const name of [
    'pg',
    'fflate',
    'saxen',
    '@opentelemetry/sdk-trace-base',
    'toLocaleString',
    'tdigest',
    'languages of zod',
  ])
    assert.ok(!used.has(name), name);
});
