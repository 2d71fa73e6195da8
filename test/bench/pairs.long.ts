import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('../../bench/src/pairs/main.ts', import.meta.url));

for (const engine of ['SQLite', 'PostgreSQL']) {
  test(`exports that begin, and audits, slow no list, change, webhook, import or report on ${engine}`, async (t) => {
    const only = ['exports', 'audits'].flatMap((words) => ['--only', words]);
    const measured = ['list', 'change', 'endpoint', 'import', 'report'].flatMap((name) => ['--beside', name]);
    const args = ['--engine', engine, ...only, ...measured, '--rounds', '5', '--seconds', '2'];
    const bench = spawn(process.execPath, [BENCH, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => bench.kill());
    const [output, errors] = [bench.stdout, bench.stderr].map((stream) =>
      stream.setEncoding('utf8').toArray(),
    );
    const [code] = await once(bench, 'exit');
    const table = ((await output) as string[]).join('');
    t.diagnostic(table);
    // Ends with 1 if most rounds have a part that is slowed, or failed.
    assert.equal(code, 0, ((await errors) as string[]).join(''));
    for (const row of ['exports without a reader', 'audits'])
      assert.match(table, new RegExp(`\\| ${row} \\|`));
  });
}

test('words that choose nothing are refused with the words that choose something', async () => {
  for (const [words, message] of [
    [['--only', 'everything'], /--only "everything" is in none of: .*imports of all pets/],
    [['--beside', 'imports'], /--beside "imports" is none of: list, change, .*import,/],
  ] as const) {
    const bench = spawn(process.execPath, [BENCH, '--engine', 'SQLite', ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors = bench.stderr.setEncoding('utf8').toArray() as Promise<string[]>;
    const [code] = await once(bench, 'exit');
    assert.equal(code, 1);
    assert.match((await errors).join(''), message);
  }
});
