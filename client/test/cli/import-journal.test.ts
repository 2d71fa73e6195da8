import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../server/test/support/command-line.ts';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow, petRows } from '../../../server/test/support/pet-rows.ts';
import { fetchOf } from '../support/client-of.ts';
import { fileIn, losing, quantities } from './support/imports.ts';
import { petstoreOf } from './support/petstore.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const pets = [petRow(1n, 5), petRow(2n, 6)];

test('an import that two processes continued loses no change', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: petRows(2_500) });
  const petstore = petstoreOf(t, app);
  const rows = Array.from({ length: 2_500 }, (_, i) => `${i + 1},7777`);
  const file = fileIn(petstore, 'stock.csv', `petId,quantity\n${rows.join('\n')}\n`);
  const interruption = new AbortController();
  const interrupted = { fetch: losing(app, 2, () => interruption.abort()), signal: interruption.signal };
  assert.equal((await petstore.run(`import ${file} --yes`, interrupted)).code, 130);
  // The other process wrote the result of the same chunk.
  const [name = ''] = readdirSync(join(petstore.home, 'state/petstore/imports'));
  const journal = join(petstore.home, 'state/petstore/imports', name);
  appendFileSync(journal, `${readFileSync(journal, 'utf8').trimEnd().split('\n').at(-1)}\n`);

  const { code, stdout, stderr } = await petstore.run(`import ${file} --yes`);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /1,000 of 2,500 changes have a result/);
  assert.match(stdout, /2,500 pets changed, 0 unchanged, 0 refused\.\n$/);
  assert.deepEqual(new Set(await quantities(petstore)), new Set([7777]));
});

test('an import does not begin while another process imports the same file', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  const line = `import ${fileIn(petstore, 'delivery.csv', 'petId,quantity\n1,2\n')} --add --reason received --yes`;
  const interruption = new AbortController();
  const other = { fetch: losing(app, 1, () => interruption.abort()), signal: interruption.signal };
  let hasBegun = false;
  const overtaken: typeof fetch = async (input, init) => {
    if (!hasBegun) {
      hasBegun = true;
      assert.equal((await petstore.run(line, other)).code, 130);
    }
    return fetchOf(app)(input, init);
  };
  const { code, stderr } = await petstore.run(line, { fetch: overtaken });
  assert.equal(code, 3);
  assert.match(stderr, /Another process has begun to import this file/);
  assert.equal((await petstore.run(line)).code, 0);
  assert.deepEqual(await quantities(petstore), [7, 6]);
});

test('a damaged record of an import is reported, and --fresh forgets it', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  const file = fileIn(petstore, 'stock.csv', 'petId,quantity\n1,50\n');
  for (const content of ['', '{"format":1\n', '{"format":3}\n']) {
    await petstore.text('set 1 5');
    const interruption = new AbortController();
    const interrupted = { fetch: losing(app, 1, () => interruption.abort()), signal: interruption.signal };
    assert.equal((await petstore.run(`import ${file} --yes`, interrupted)).code, 130);
    const [name = ''] = readdirSync(join(petstore.home, 'state/petstore/imports'));
    writeFileSync(join(petstore.home, 'state/petstore/imports', name), content);
    const { code, stderr } = await petstore.run(`import ${file} --yes`);
    assert.equal(code, 1);
    assert.match(stderr, /is damaged, or of another release of petstore.*Then add --fresh/);
    assert.equal((await petstore.run(`import ${file} --yes --fresh`)).code, 0);
  }
});

test('a pipe is a file too', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const file = join(petstore.home, 'stock.csv');
  assert.equal(spawnSync('mkfifo', [file]).status, 0);
  const writer = spawn('sh', ['-c', 'printf "petId,quantity\\n1,50\\n" > "$0"', file]);
  t.after(() => writer.kill());
  assert.match(await petstore.text(`import ${file} --yes`), /1 pet changed/);
});

test('a file that does not fit on the disk has its name at no time', (t) => {
  const file = join(temporaryFolder(t), 'stock.csv');
  const source = new URL('../../cli/files/whole-file.ts', import.meta.url).href;
  const program = `const { writeWholeFile } = await import('${source}'); writeWholeFile(process.argv[1], ['x'.repeat(5_000)]);`;
  // The system writes the part that fits, and reports an error only for the rest.
  const command = 'ulimit -f 1; exec "$0" --input-type=module --eval "$1" "$2"';
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, program, file]);
  assert.match(String(stderr), /stock\.csv cannot be written/);
  assert.deepEqual([status, readdirSync(dirname(file))], [1, []]);
});

test(
  'a folder that cannot be made is an error, also where it is called missing for ever',
  { skip: process.platform !== 'linux' },
  () => {
    const source = new URL('../../cli/files/whole-file.ts', import.meta.url).href;
    const program = `const { writePrivateFile } = await import('${source}'); writePrivateFile('/proc/nope/state/a.json', []);`;
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { timeout: 60_000 },
    );
    assert.deepEqual([status, signal], [1, null]);
    assert.match(String(stderr), /\/proc\/nope\/state\/a\.json cannot be written/);
  },
);
