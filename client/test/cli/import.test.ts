import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Paint } from '@petstore-inventory/shared/terminal/paint';
import { CLI_AUTHOR } from '../../../server/src/domain/management/activity.ts';
import { startApp, type TestApp } from '../../../server/test/support/harness.ts';
import { machineEnvironment } from '../../../server/test/support/machine-environment.ts';
import { workbook } from '../../../server/test/support/workbook.ts';
import { petRow, petRows } from '../../../server/test/support/pet-rows.ts';
import { describePlan, refusedFileOf } from '../../cli/files/report.ts';
import { SUPPLIED, supplierCsv, supplierWorkbook } from '../../../server/test/support/supplier-file.ts';
import { fetchOf } from '../support/client-of.ts';
import { fileIn, losing, quantities } from './support/imports.ts';
import { petstoreOf } from './support/petstore.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const PETSTORE = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url));
const LARGE = 9007199254740993n;
const pets = [petRow(1n, 5), petRow(2n, 6), petRow(3n, 7), petRow(LARGE, 8)];

test('an export is a file that an import finds unchanged, in each format', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  for (const name of ['stock.csv', 'stock.json', 'stock.jsonl']) {
    const file = join(petstore.home, name);
    assert.match(await petstore.text(`export ${file}`), /^4 pets exported to .*, as after movement 4\.\n$/);
    assert.match(readFileSync(file, 'utf8'), /9007199254740993/);
    const plan = await petstore.json(`import ${file} --dry-run`);
    assert.deepEqual([plan.unchanged, plan.changed], [4, 0]);
  }
  assert.match(await petstore.text('export --format csv'), /^petId,quantity,status\r\n1,5,available\r\n/);
  const past = join(petstore.home, 'past.csv');
  await petstore.text('set 1 50');
  await petstore.text(`export ${past} --at-sequence 4`);
  for (const folder of ['.', petstore.home]) {
    const { code, stderr } = await petstore.run(`export ${folder}`);
    const sentence = `error: ${folder} cannot be written: it is a folder; name a file in it.\n`;
    assert.deepEqual([code, stderr], [1, sentence]);
  }
  const inNone = await petstore.run('export none/stock.csv');
  assert.equal(inNone.stderr, 'error: none/stock.csv cannot be written: its folder does not exist.\n');
  assert.match(readFileSync(past, 'utf8'), /\n1,5,available\r\n/);
});

test('an import shows the plan, applies it, and writes refused rows to a file', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const text = `petId,name,quantity,status\n1,Rex,50,\n2,,6,sold\n3,,9,pending\n${LARGE},,8,\n99,,1,\n`;
  const file = fileIn(petstore, 'stock.csv', text);
  const dry = await petstore.run(`import ${file} --dry-run`);
  assert.equal(dry.code, 3);
  assert.match(dry.stderr, /^Ignored, because an API key cannot change them: name\.\n/);
  assert.match(dry.stdout, /^5 pets in .*: 3 to change, 1 unchanged, 1 refused\.\n/);
  assert.match(
    dry.stdout,
    /\n *1 +5 +50 +\+45\n *2 +6 +available -> sold\n *3 +7 +9 +\+2 +available -> pending\n/,
  );
  assert.match(dry.stdout, /\n *99 +not_found +There is no pet with petId 99\.\nNothing was changed\.\n$/);
  assert.deepEqual(await quantities(petstore), [5, 6, 7, 8]);

  const unasked = await petstore.run(`import ${file}`);
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /Add --yes/);
  assert.deepEqual(await quantities(petstore), [5, 6, 7, 8]);

  const applied = await petstore.run(`import ${file} --yes --reason cycle_count --json`);
  assert.equal(applied.code, 3);
  const result = JSON.parse(applied.stdout) as Record<string, unknown>;
  assert.deepEqual([result.changed, result.unchanged], [3, 1]);
  assert.deepEqual(await quantities(petstore), [50, 6, 9, 8]);
  assert.equal((await petstore.list('list --status sold')).length, 1);
  const failed = readFileSync(join(petstore.home, 'stock.failed.csv'), 'utf8');
  assert.equal(
    failed,
    'petId,quantity,status,code,message\r\n99,1,,not_found,"There is no pet with petId 99."\r\n',
  );
  const again = await petstore.run(`import ${join(petstore.home, 'stock.failed.csv')} --dry-run`);
  assert.equal(again.code, 3);
  assert.deepEqual(readdirSync(join(petstore.home, 'state/petstore/imports')), []);
});

test('columns that are not kept are named with the option that leaves them out', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const file = fileIn(petstore, 'stock.csv', 'petId,quantity,price,colour,supplier\n1,50,9.99,red,Zoo\n');
  const { code, stderr } = await petstore.run(`import ${file} --yes`);
  assert.equal(code, 2);
  assert.match(stderr, /the columns "price", "colour" are not kept; .* repeat with --ignore price,colour\./);
  const left = await petstore.run(`import ${file} --yes --ignore price --ignore colour`);
  assert.match(left.stderr, /^Ignored, because an API key cannot change them: supplier\.\n/);
  assert.equal((await quantities(petstore))[0], 50);
});

test('a pet that changed since the plan is refused, and the others are changed', async (t) => {
  const app = await startApp(t, { pets });
  let hasChanged = false;
  const interfering: typeof fetch = async (input, init) => {
    const isApply = String(input).endsWith('/batch') && !String(init?.body).includes('"dryRun"');
    if (isApply && !hasChanged) {
      hasChanged = true;
      await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":77}' });
      await app.request('PATCH', '/v1/inventory/3', { body: '{"quantity":78}' });
    }
    return fetchOf(app)(input, init);
  };
  const petstore = petstoreOf(t, app);
  const file = fileIn(petstore, 'stock.csv', 'petId,quantity,status\n1,10,\n2,20,\n3,7,sold\n');
  const { code, stdout } = await petstore.run(`import ${file} --yes`, { fetch: interfering });
  assert.equal(code, 3);
  assert.match(stdout, /\n *1 +precondition_failed +/);
  assert.match(stdout, /\n *3 +precondition_failed +/);
  assert.match(stdout, /\n1 pet changed, 0 unchanged, 2 refused\.\n$/);
  assert.deepEqual(await quantities(petstore), [77, 20, 78, 8]);
});

test('an interrupted import that adds units is continued, and adds nothing twice', async (t) => {
  const app = await startApp(t, { pets: petRows(2_500) });
  const petstore = petstoreOf(t, app);
  const before = await quantities(petstore);
  const rows = Array.from({ length: 2_500 }, (_, i) => `${i + 1},2`);
  const file = fileIn(petstore, 'delivery.csv', `petId,quantity\n${rows.join('\n')}\n`);
  const line = `import ${file} --add --reason received --note "crate 1" --yes`;
  const interruption = new AbortController();
  const first = await petstore.run(line, {
    fetch: losing(app, 2, () => interruption.abort()),
    signal: interruption.signal,
  });
  assert.equal(first.code, 130);
  assert.match(first.stderr, /1,000 of 2,500 changes have a result\. Run the same command again to continue/);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  assert.equal(sum(await quantities(petstore)), sum(before) + 2 * 2_000);
  // A machine that lost its power wrote half a line.
  const [journal = ''] = readdirSync(join(petstore.home, 'state/petstore/imports'));
  appendFileSync(join(petstore.home, 'state/petstore/imports', journal), '{"applied":1');

  // Also with another note: the beginning decides.
  const second = await petstore.run(line.replace('crate 1', 'crate 2'));
  assert.deepEqual([second.code, second.stderr.match(/was interrupted/g)?.length], [0, 1]);
  assert.match(second.stdout, /2,500 pets changed, 0 unchanged, 0 refused\.\n$/);
  assert.deepEqual(
    await quantities(petstore),
    before.map((quantity) => quantity + 2),
  );
  const [newest] = await petstore.list<{ note: string }>('history --limit 1');
  assert.equal(newest?.note, 'crate 1');
  assert.deepEqual(readdirSync(join(petstore.home, 'state/petstore/imports')), []);
});

test('--fresh forgets an interrupted import; a failure of the service keeps it', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  const file = fileIn(petstore, 'stock.ndjson', `{"petId":${LARGE},"quantity":80,"status":"sold"}\n`);
  let isDown = false;
  const failing: typeof fetch = (input, init) => {
    if (isDown && String(input).endsWith('/status')) {
      const body = { code: 'service_unavailable', message: 'Not now.', status: 503 };
      return Promise.resolve(Response.json(body, { status: 503 }));
    }
    return fetchOf(app)(input, init);
  };
  isDown = true;
  const failed = await petstore.run(`import ${file} --yes --max-wait 0`, { fetch: failing });
  assert.equal(failed.code, 7);
  assert.match(failed.stderr, /0 of 1 changes have a result\. Run the same command again to continue/);
  isDown = false;
  const unasked = await petstore.run(`import ${file}`);
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /was interrupted/);
  const fresh = await petstore.run(`import ${file} --fresh --dry-run`);
  assert.match(fresh.stdout, /1 to change/);
  const done = await petstore.run(`import ${file} --yes --fresh`);
  assert.deepEqual([done.code, done.stderr], [0, '']);
  const [item] = await petstore.list('list --status sold');
  assert.deepEqual(item, { petId: LARGE, quantity: 80, status: 'sold' });
});

test('the report on standard input names it, and its refused rows get a name of their own', () => {
  const plan = { changes: [], refused: [], unchanged: 1 };
  assert.match(describePlan('-', plan, new Paint(false)), /^1 pet in standard input: /);
  assert.equal(refusedFileOf('-'), 'stdin.failed.csv');
});

test('a wrong file changes nothing, and its report names the lines', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const file = fileIn(petstore, 'stock.csv', 'petId,quantity\n1,10\n2,many\n2.5,1\n');
  const { code, stdout, stderr } = await petstore.run(`import ${file} --yes`);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /2 rows are wrong; nothing was imported\.\n {2}line 3, quantity: .*\n {2}line 4, petId: /,
  );
  const { errors, errorCount } = JSON.parse((await petstore.run(`import ${file} --yes --json`)).stderr);
  assert.deepEqual(
    errors.map(({ line, code }: { line: number; code: string }) => [line, code]),
    [
      [3, 'invalid_quantity'],
      [4, 'invalid_pet_id'],
    ],
  );
  assert.equal(errorCount, 2);
  assert.equal(existsSync(join(petstore.home, 'state')), false);
});

test('the file of a supplier is imported in one attempt, also as a workbook', async (t) => {
  for (const [name, content] of [
    ['lieferung.csv', supplierCsv()],
    ['lieferung.xlsx', supplierWorkbook()],
  ] as const) {
    const app = await startApp(t, { pets: SUPPLIED.map((_, i) => petRow(BigInt(i + 1), 1)) });
    for (const [i, [sku]] of SUPPLIED.entries())
      await app.admin.pets.update(BigInt(i + 1), { sku }, CLI_AUTHOR);
    const petstore = petstoreOf(t, app);
    const file = join(petstore.home, name);
    writeFileSync(file, content);
    const refused = await petstore.run(`import ${file} --yes --ignore EK-Preis`);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /3 rows are wrong; nothing was imported\./);
    const bad = join(petstore.home, 'lieferung.bad.csv');
    const dry = await petstore.run(`import ${file} --dry-run --ignore EK-Preis --good-rows`);
    assert.match(dry.stderr, /3 rows left out:\n {2}line 7, quantity: /);
    assert.equal(existsSync(bad), false);
    const { code, stdout, stderr } = await petstore.run(`import ${file} --yes --ignore EK-Preis --good-rows`);
    assert.equal(code, 0, 'what was asked is done');
    assert.match(stdout, /3 pets changed, 0 unchanged, 0 refused\./);
    assert.ok(
      stderr.includes(`3 rows left out, and written to ${bad}:\n  line 7, quantity: "k. A." is not`),
      stderr,
    );
    assert.deepEqual(
      await quantities(petstore),
      SUPPLIED.map(([, quantity]) => quantity),
    );
    assert.match(readFileSync(bad, 'utf8'), /;2005;Spielmaus;Spielzeug;12;4006381002095;1[.,]25\r\n$/);
  }
});

test('rows are of the pets with their codes, and a code of no pet is a row to leave out', async (t) => {
  const app = await startApp(t, { pets });
  await app.admin.pets.update(2n, { sku: '1', barcodes: ['036000291452'] }, CLI_AUTHOR);
  await app.admin.pets.update(3n, { barcodes: ['96385074', '+49 box'] }, CLI_AUTHOR);
  const petstore = petstoreOf(t, app);
  const file = fileIn(petstore, 'codes.csv', 'sku,ean,qty\n1,,60\n,0036000291452,61\n,96385074,70\n4,,80\n');
  const refused = await petstore.run(`import ${file} --yes`);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /line 5, sku: no pet has the code "4"/);
  assert.match(refused.stderr, /line 3, petId: 2 is on line 2 already/);
  const own = await petstore.run(`import ${file} --yes --good-rows --bad-rows ${file}`);
  assert.deepEqual([own.code, /--bad-rows names .*codes\.csv itself/.test(own.stderr)], [2, true]);
  assert.deepEqual(await quantities(petstore), [5, 6, 7, 8]);
  const { code, stderr } = await petstore.run(`import ${file} --yes --good-rows`);
  assert.equal(code, 0);
  assert.match(stderr, /2 rows left out/);
  assert.deepEqual(await quantities(petstore), [5, 60, 70, 8]);
});

test('refused rows replace neither the imported file nor the rows that are left out', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const content = 'petId,quantity\n1,50\n2,many\n99,1\n';
  const file = fileIn(petstore, 'stock.csv', content);
  const failed = join(petstore.home, 'stock.failed.csv');
  const own = await petstore.run(`import ${file} --yes --good-rows --failed ${file}`);
  assert.deepEqual([own.code, /--failed names .*stock\.csv itself/.test(own.stderr)], [2, true]);
  assert.equal(readFileSync(file, 'utf8'), content);
  for (const options of [
    `--bad-rows ${failed}`,
    `--bad-rows ${petstore.home}/rest.csv --failed ${petstore.home}/rest.csv`,
  ]) {
    const same = await petstore.run(`import ${file} --yes --good-rows ${options}`);
    assert.deepEqual([same.code, /--bad-rows and --failed name/.test(same.stderr)], [2, true], options);
  }
  assert.deepEqual(await quantities(petstore), [5, 6, 7, 8], 'nothing was imported');
  const nowhere = await petstore.run(
    `import ${file} --dry-run --good-rows --bad-rows /dev/null --failed /dev/null`,
  );
  assert.match(nowhere.stdout, /2 pets in .*: 1 to change, 0 unchanged, 1 refused\./);
  assert.equal((await petstore.run(`import ${file} --yes --good-rows`)).code, 3);
  assert.match(readFileSync(failed, 'utf8'), /\r\n99,1,/);
});

/** A server for a child process, in front of the service of a test. */
async function listening(t: TestContext, app: TestApp): Promise<string> {
  const send = fetchOf(app);
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
      const answer = await send(`http://localhost${request.url}`, {
        method: request.method ?? 'GET',
        headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a workbook of standard input is read as a file is', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  const child = spawn(process.execPath, [PETSTORE, 'import', '-', '--yes', '--json'], {
    env: {
      ...machineEnvironment(),
      HOME: petstore.home,
      PETSTORE_URL: await listening(t, app),
      PETSTORE_API_KEY: app.key,
    },
  });
  t.after(() => child.kill());
  const rows = [['Liste'], ['petId', 'Bestand'], [1, 50], [2, '1.200,0']];
  child.stdin.end(workbook([{ name: 'Lager', rows }]));
  const texts = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number];
  const [stdout, stderr] = await texts;
  assert.deepEqual([code, stderr], [0, 'Read as the sheet "Lager", headings in line 2.\n'], stdout);
  assert.deepEqual(JSON.parse(stdout), {
    changed: 2,
    unchanged: 0,
    refused: [],
    failedFile: null,
    leftOut: 0,
  });
  assert.deepEqual(await quantities(petstore), [50, 1_200, 7, 8]);
});

test('the columns of a file are read by a mapping of a file, and by --column', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const file = fileIn(petstore, 'supplier.csv', 'Lieferung;;\nTier #;lagernd;Farbe\n1;1.200;rot\n');
  const mapping = {
    name: 'Zoo',
    columns: [
      { heading: 'tier #', field: 'petId' },
      { heading: 'Lagernd', field: 'quantity' },
      { heading: 'Farbe', field: null },
    ],
    decimal: 'comma',
    encoding: null,
    sheet: null,
    updatedBy: 'cli',
  };
  const kept = fileIn(petstore, 'zoo.json', JSON.stringify(mapping));
  const { code, stderr } = await petstore.run(`import ${file} --yes --mapping ${kept}`);
  assert.deepEqual(
    [code, stderr],
    [0, 'Read as ; between fields, headings in line 2, decimal comma, the mapping "Zoo".\n'],
  );
  assert.deepEqual(await quantities(petstore), [1_200, 6, 7, 8]);
  const point = await petstore.run(`import ${file} --dry-run --mapping ${kept} --decimal point`);
  assert.match(point.stderr, /"1\.200" is not a whole number/);
  const columns = ['--column', 'Tier #=petId', '--column', 'lagernd=quantity', '--ignore', 'Farbe'];
  const named = await petstore.run(['import', file, '--dry-run', ...columns, '--decimal', 'comma', '--json']);
  assert.equal((JSON.parse(named.stdout) as { unchanged: number }).unchanged, 1);
  const other = fileIn(petstore, 'other.csv', 'petId,quantity\n1,2\n');
  const lacking = await petstore.run(`import ${other} --dry-run --mapping ${kept}`);
  assert.equal(lacking.code, 2);
  assert.match(lacking.stderr, /has no columns "tier #", "Lagernd", which the mapping "Zoo" has/);
  const hostile: readonly (readonly [string, RegExp])[] = [
    ['{', /it is not JSON\./],
    ['[]', /it is not an object\./],
    ['{"columns":[]}', /it has no name\./],
    ['{"name":"a\\u202eb","columns":[]}', /its name has an invisible or unreadable character/],
    ['{"name":"a","columns":[]}', /The mapping has no columns\./],
    ['{"name":"a","columns":{"x":"sku"}}', /it has no columns\./],
    ['{"name":"a","columns":[{"field":"sku"}]}', /a column has no heading\./],
    ['{"name":"a","columns":[{"heading":"x","field":"__proto__"}]}', /"__proto__" is not null, nor one of/],
    ['{"name":"a","columns":[{"heading":"x"}],"decimal":"dot"}', /its decimal is not one of comma, point\./],
    ['{"name":"a","columns":[{"heading":"x"}],"encoding":"ebcdic"}', /its encoding is not one of/],
    ['{"name":"a","columns":[{"heading":"x"}],"sheet":7}', /its sheet is not a text\./],
    [`{"name":"${'x'.repeat(1_000_000)}"}`, /the file is too large\./],
  ];
  for (const [json, message] of hostile) {
    writeFileSync(kept, json);
    const refused = await petstore.run(`import ${file} --yes --mapping ${kept}`);
    assert.equal(refused.code, 2, json);
    assert.match(refused.stderr, message);
    assert.match(refused.stderr, /Write it with petstore-server pets mappings show NAME --json\./);
  }
  const missing = await petstore.run(`import ${file} --yes --mapping ${petstore.home}`);
  assert.match(missing.stderr, /it cannot be read; give the file of a mapping\./);
  for (const column of ['Tier', '=sku', 'Tier=id', '__proto__=__proto__']) {
    const wrong = await petstore.run(['import', file, '--column', column]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /ive heading=field, with one of the fields petId, sku,/);
  }
});
