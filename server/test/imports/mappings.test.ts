import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PetField } from '@petstore-inventory/shared/pet-file/headings';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';
import { parseMapping, readingOf } from '@petstore-inventory/shared/pet-file/mapping';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { WrittenMapping } from '../../src/domain/management/import-mappings.ts';
import { assertRefused } from '../stocktakes/stocktake-shop.ts';
import { newCliShop, petRow, temporaryFolder } from '../support/command-line.ts';
import { startApp } from '../support/harness.ts';
import { testOnceIn } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { ImportShop, STAFF } from './import-shop.ts';

const once = testOnceIn();

const EAN = '4006381333931';

const mappingOf = (
  columns: readonly (readonly [string, PetField | null])[],
  rest: Partial<WrittenMapping> = {},
): WrittenMapping => ({
  columns: columns.map(([heading, field]) => ({ heading, field })),
  decimal: null,
  encoding: null,
  sheet: null,
  ...rest,
});

const ZOO = mappingOf([
  ['Best.Nr', 'sku'],
  ['lagernd', 'quantity'],
  ['Preis', null],
]);

once('a mapping is made, replaced, renamed and deleted, each with a line of the activity log', async (t) => {
  const { store } = await ImportShop.open(t);
  const { importMappings } = store;
  assert.deepEqual(await importMappings.list(), []);
  const made = await importMappings.set('Zoo Groß', { ...ZOO, decimal: 'comma' }, STAFF);
  assert.deepEqual(await importMappings.find('zoo  GROSS'), undefined);
  assert.deepEqual(await importMappings.find('ZOO GROß'), made);
  assert.deepEqual([made.name, made.decimal, made.updatedBy], ['Zoo Groß', 'comma', STAFF.actor]);
  await importMappings.set('zoo groß', ZOO, CLI_AUTHOR);
  await importMappings.set('alpha', ZOO, CLI_AUTHOR);
  await importMappings.set('Öl', ZOO, CLI_AUTHOR);
  const listed = await importMappings.list();
  assert.deepEqual(
    listed.map(({ name, decimal, updatedBy }) => [name, decimal, updatedBy]),
    [
      ['alpha', null, 'cli'],
      ['zoo groß', null, 'cli'],
      ['Öl', null, 'cli'],
    ],
  );
  assert.deepEqual(listed[1]?.columns, ZOO.columns);
  await importMappings.set('zoo groß', { ...ZOO, name: 'Zoo Müller' }, STAFF);
  assert.deepEqual(
    (await importMappings.list()).map(({ name }) => name),
    ['alpha', 'Zoo Müller', 'Öl'],
  );
  await assertRefused(
    importMappings.set('alpha', { ...ZOO, name: 'zoo MÜLLER' }, STAFF),
    'conflict',
    /There is a mapping "zoo MÜLLER" already\./,
  );
  await assertRefused(
    importMappings.set('none', { ...ZOO, name: 'other' }, STAFF),
    'not_found',
    /There is no mapping "none"\./,
  );
  await importMappings.delete('ALPHA', STAFF);
  await assertRefused(importMappings.delete('alpha', STAFF), 'not_found', /There is no mapping "alpha"\./);
  const lines = (await store.activity.list({ limit: 10 })).filter(({ action }) =>
    action.startsWith('import-mappings.'),
  );
  assert.deepEqual(
    lines.map(({ action, target, actor }) => [action, target, actor]),
    [
      ['import-mappings.delete', 'alpha', STAFF.actor],
      ['import-mappings.set', 'Zoo Müller', STAFF.actor],
      ['import-mappings.set', 'Öl', 'cli'],
      ['import-mappings.set', 'alpha', 'cli'],
      ['import-mappings.set', 'zoo groß', 'cli'],
      ['import-mappings.set', 'Zoo Groß', STAFF.actor],
    ],
  );
  assert.deepEqual(lines[1]?.details, {
    columns: ['Best.Nr: sku', 'lagernd: quantity', 'Preis: left out'],
    decimal: null,
    encoding: null,
    sheet: null,
    renamedFrom: 'zoo groß',
  });
});

once('hostile and impossible mappings are refused', async (t) => {
  const { importMappings } = (await ImportShop.open(t)).store;
  const refusals: readonly (readonly [string, WrittenMapping, RegExp])[] = [
    ['', ZOO, /The name "" must have 1 to 60 characters\./],
    ['x'.repeat(61), ZOO, /must have 1 to 60 characters/],
    [' Zoo', ZOO, /begins or ends with a space/],
    ['..', ZOO, /is a step of an address/],
    ['a\u0000b', ZOO, /has the control character U\+0000/],
    ['a\nb', ZOO, /has a line break/],
    ['\ud800', ZOO, /has half a character/],
    ['Zoo\u202egnp', ZOO, /has an invisible or unreadable character/],
    ['Zoo\u200b', ZOO, /has an invisible or unreadable character/],
    ['Zoo', { ...ZOO, name: 'Zoo\u202e' }, /has an invisible or unreadable character/],
    ['Zoo', mappingOf([]), /The mapping has no columns\./],
    ['Zoo', mappingOf(Array.from({ length: 101 }, (_, i) => [`c${i}`, null])), /There are 101 columns/],
    ['Zoo', mappingOf([['x'.repeat(201), null]]), /has more than 200 characters/],
    ['Zoo', mappingOf([['x\u0000', null]]), /cannot be stored/],
    ['Zoo', mappingOf([['\udc00', 'sku']]), /cannot be stored/],
    ['Zoo', mappingOf([[' ', 'sku']]), /A column without a heading cannot be sku\./],
    [
      'Zoo',
      mappingOf([
        ['Nr', 'sku'],
        [' nR  ', null],
      ]),
      /The heading " nR {2}" is there twice\./,
    ],
    [
      'Zoo',
      mappingOf([
        ['a', 'sku'],
        ['b', 'sku'],
      ]),
      /Two columns are sku/,
    ],
    ['Zoo', { ...ZOO, sheet: '' }, /The sheet must have 1 to 100 characters\./],
    ['Zoo', { ...ZOO, sheet: 'a\nb' }, /is not one line/],
  ];
  for (const [name, mapping, message] of refusals)
    await assertRefused(importMappings.set(name, mapping, STAFF), 'validation_failed', message);
  const hostile = ['__proto__', 'constructor', "'; DROP TABLE imports; --", '%_', '🐈', '../../etc/passwd'];
  for (const name of hostile)
    await importMappings.set(name, mappingOf(hostile.map((heading) => [heading, null])), STAFF);
  for (const name of hostile) {
    const found = await importMappings.find(name);
    assert.deepEqual([found?.name, found?.columns.map(({ heading }) => heading)], [name, hostile]);
  }
  assert.equal(await importMappings.find('a'), undefined);
  for (let i = hostile.length; i < 100; i += 1) await importMappings.set(`m${i}`, ZOO, STAFF);
  await assertRefused(
    importMappings.set('one more', ZOO, STAFF),
    'conflict',
    /There are 100 mappings already; delete one of them first\./,
  );
  await importMappings.set('m99', ZOO, STAFF);
  await importMappings.set('m99', { ...ZOO, name: 'renamed' }, STAFF);
  assert.equal((await importMappings.list()).length, 100);
});

once('a mapping reads the columns of a file, below a title, in any format', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([petRow(1, { codes: { sku: 'A-1', barcodes: [EAN] } })]);
  const made = await shop.store.importMappings.set('Zoo', { ...ZOO, decimal: 'comma' }, STAFF);
  const csv = 'Lieferschein, Zoo, Süd\n\nbest.nr;PREIS; Lagernd \nA-1;9,99;1.200\n';
  const plan = await shop.planned(csv, 'csv', 'set', readingOf(made));
  assert.deepEqual([plan.state, plan.facts?.mapping, plan.facts?.headingLine], ['planned', 'Zoo', 3]);
  assert.deepEqual([plan.facts?.separator, plan.facts?.decimal], [';', 'comma']);
  assert.deepEqual(
    (await shop.rows(plan.id)).map(({ petId, after }) => [petId, after?.quantity]),
    [[1n, 1_200]],
  );
  const json = '[{"Best.Nr":"A-1","lagernd":5,"Preis":1}]';
  const object = await shop.planned(json, 'json', 'set', readingOf(made));
  assert.deepEqual(
    [object.state, (await shop.rows(object.id))[0]?.after?.quantity, object.facts?.mapping],
    ['planned', 5, 'Zoo'],
  );
  const both = await shop.planned(
    '[{"sku":"A-1","Best.Nr":"A-1","lagernd":5}]',
    'json',
    'set',
    readingOf(made),
  );
  assert.deepEqual(
    both.faults.map(({ code, field }) => [code, field]),
    [['repeated_member', 'sku']],
  );
  // The mapping that it was sent with is kept: a later one does not change a plan.
  await shop.store.importMappings.delete('Zoo', STAFF);
  await shop.store.imports.plan(plan.id, STAFF);
  await shop.runJobs();
  assert.equal((await shop.find(plan.id)).facts?.mapping, 'Zoo');
});

once('columns of a mapping that a file lacks are named, and unknown ones still refused', async (t) => {
  const shop = await ImportShop.open(t);
  const reading: Reading = readingOf({ ...ZOO, name: 'Zoo "1"' });
  const faultsOf = async (content: string, given = reading) =>
    (await shop.planned(content, 'csv', 'set', given)).faults.map(({ line, code, message }) => [
      line,
      code,
      message,
    ]);
  const allowed = 'petId, sku, barcodes, name, category, quantity, status, lowStockAt, restockAt, supplier';
  assert.deepEqual(await faultsOf('sku;lagernd\nA;1\n'), [
    [
      1,
      'mapped_column_missing',
      'the file has no column "Best.Nr", which the mapping "Zoo \\"1\\"" has; use another mapping, or correct it.',
    ],
  ]);
  assert.deepEqual(await faultsOf('Titel\nNr;Menge\nA;1\n'), [
    [
      2,
      'mapped_column_missing',
      'the file has no columns "Best.Nr", "lagernd", which the mapping "Zoo \\"1\\"" has; use another mapping, or correct it.',
    ],
  ]);
  assert.deepEqual(await faultsOf('Best.Nr;lagernd;Farbe\nA;1;rot\n'), [
    [1, 'unknown_column', `the column "Farbe" is not kept; remove it, or name it as one of ${allowed}.`],
  ]);
  assert.deepEqual(await faultsOf('Best.Nr;Menge;lagernd\nA;1;2\n'), [
    [1, 'repeated_column', 'the columns "lagernd" and "Menge" are both quantity; leave one of them out.'],
  ]);
  assert.deepEqual(await faultsOf('Best.Nr;BEST.NR;lagernd\nA;1;2\n'), [
    [1, 'repeated_column', 'the columns "Best.Nr" and "BEST.NR" are both sku; leave one of them out.'],
  ]);
  assert.deepEqual(
    await faultsOf('Best.Nr;Menge;lagernd\nA;1;2\n', { ...reading, ignored: ['Menge'] }),
    [],
    'a column that the request names is left out',
  );
  assert.deepEqual(
    await faultsOf('a;Menge\nA;1\n', {
      columns: [
        { heading: 'Bestellung', field: 'sku' },
        { heading: 'x', field: null },
      ],
    }),
    [[1, 'named_column_missing', 'the file has no column "Bestellung"; name headings that it has.']],
  );
});

test('a code that no longer names the pet of its row makes the plan stale', async (t) => {
  const shop = await ImportShop.open(t);
  const { pets } = shop.store;
  const setCodes = (petId: bigint, sku: string | null, barcodes: readonly string[] = []) =>
    pets.update(petId, { sku, barcodes }, STAFF);
  const open = async (content: string) => {
    const plan = await shop.planned(content);
    assert.equal(plan.state, 'planned');
    return async () => {
      const { state, faults } = await shop.apply(plan.id);
      return [
        state,
        ...faults.map(({ line, code, values }) => [line, code, values.petId ?? '', values.code ?? '']),
      ];
    };
  };
  await shop.importRows([
    petRow(1, { codes: { sku: 'A', barcodes: [EAN, 'BOX'] } }),
    petRow(2, { codes: { sku: 'B', barcodes: null } }),
  ]);
  const bySku = await open('name,sku,menge\nx,B,2\ny,A,3\n');
  await setCodes(1n, null, [EAN]);
  assert.deepEqual(await bySku(), ['stale', [3, 'stock_changed', '1', '']], 'its pet changed');
  const byOther = await open(`ean,menge\n"${EAN},96385074",4\n`);
  await setCodes(2n, 'A', ['96385074']);
  assert.deepEqual(
    await byOther(),
    ['stale', [2, 'code_moved', '1', 'barcode "00000096385074"']],
    'a free code of the row has another pet',
  );
  await setCodes(2n, 'A');
  const unmoved = await open(`ean,menge\n"${EAN},96385074",4\n`);
  await setCodes(2n, 'A2');
  assert.deepEqual(await unmoved(), ['applied'], 'codes of others do not matter');
  const byId = await open('petId,sku,menge\n1,Z,5\n');
  await setCodes(2n, 'A3');
  assert.deepEqual(await byId(), ['applied']);
  // The command line finds the pets without a plan, before it has the lock.
  const namedBy = (code: string) => [{ kind: 'sku' as const, code, isOwned: true }];
  const importNamed = (code: string) => shop.importRows([petRow(2, { quantity: 6, namedBy: namedBy(code) })]);
  await assertRefused(importNamed('none'), 'conflict', /The SKU "none" of the file was of pet 2, and no pet/);
  await assertRefused(
    importNamed('Z'),
    'conflict',
    /was of pet 2, and it is of pet 1 now\. Nothing was imported/,
  );
  await importNamed('A3');
  assert.equal((await pets.find(2n)).quantity, 6);
});

once('new pets are counted where the codes of more rows found their pets', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows(
    [1, 2, 3].map((petId) => petRow(petId, { codes: { sku: `A-${petId}`, barcodes: null } })),
  );
  const doubtful = async (content: string) => (await shop.planned(content)).doubtfulCount;
  assert.equal(await doubtful('sku,menge\nA-1,1\nA-2,1\nA-3,1\nA-33,1\nA-34,1\n'), 2);
  assert.equal(await doubtful('sku,menge\nA-1,1\nA-2,1\nB-1,1\nB-2,1\n'), 0, 'as many new ones');
  assert.equal(await doubtful('petId,sku,menge\n9,B-9,1\n,A-1,1\n,A-2,1\n'), 0, 'a petId was given');
  assert.equal(await doubtful('sku,menge\nA-1,1\n'), 0);
  const invalid = await shop.planned('sku,menge\nA-1,1\nA-2,1\nA-33,1\nA-3,x\n');
  assert.deepEqual([invalid.state, invalid.doubtfulCount], ['invalid', 1]);
});

once('a swap of codes in one file is refused, and an empty field leaves codes as they are', async (t) => {
  const shop = await ImportShop.open(t);
  await shop.importRows([
    petRow(1, { codes: { sku: 'A', barcodes: [EAN] } }),
    petRow(2, { codes: { sku: 'B', barcodes: null } }),
  ]);
  const swap = await shop.planned('petId,sku,menge\n1,B,1\n2,A,1\n');
  assert.deepEqual(
    swap.faults.map(({ line, code, message }) => [line, code, message]),
    [
      [2, 'code_in_use', '"B" is a code of pet 2; correct it, or remove it from that pet first.'],
      [3, 'code_in_use', '"A" is a code of pet 1; correct it, or remove it from that pet first.'],
    ],
  );
  const empty = await shop.planned('petId,sku,ean,menge\n1,,,7\n');
  await shop.apply(empty.id);
  const { sku, barcodes, quantity } = await shop.store.pets.find(1n);
  assert.deepEqual([sku, barcodes, quantity], ['A', [EAN], 7]);
  // What an import changed is in its plan.
  const changed = await shop.planned('petId,sku,ean,menge\n1,C,96385074,7\n');
  await shop.apply(changed.id);
  const [row] = await shop.rows(changed.id);
  assert.deepEqual(
    [row?.before?.sku, row?.before?.barcodes, row?.after?.sku, row?.after?.barcodes],
    ['A', [EAN], 'C', ['96385074']],
  );
});

test('pets import reads by a mapping, makes one of a file, and warns of mistyped codes', async (t) => {
  const { cli, store } = await newCliShop(t);
  const folder = temporaryFolder(t);
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await cli('pets', ...words);
    return { code, text: `${stdout}${stderr}` };
  };
  const fileOf = (content: string) => {
    const file = join(folder, 'pets.csv');
    writeFileSync(file, content);
    return file;
  };
  const first = fileOf('Lieferung;;\nBest.Nr;lagernd;Preis\nA-1;1.200;9,99\nA-2;2;1,50\nA-3;3;1,50\n');
  const columns = ['--column', 'Best.Nr=sku', '--column', 'lagernd=quantity', '--ignore', 'Preis'];
  const unsaved = await run('import', first, ...columns, '--save-mapping', 'Zoo ', '--dry-run');
  assert.match(unsaved.text, /The name "Zoo " begins or ends with a space; remove it\./);
  await run('import', first, ...columns, '--save-mapping', 'Zoo', '--dry-run');
  assert.deepEqual(await store.importMappings.list(), [], 'a dry run remembers nothing');
  const made = await run('import', first, ...columns, '--save-mapping', 'Zoo');
  assert.deepEqual(made, {
    code: 0,
    text: `3 pets imported from ${first}: 3 new, 0 changed, 0 unchanged.\nRead as ; between fields, headings in line 2, decimal comma.\nThe mapping Zoo is remembered.\n`,
  });
  const next = fileOf('Preis;Best.Nr;lagernd\n1;A-1;1.300\n1;A-2;5\n1;A-33;7\n');
  const dry = await run('import', next, '--mapping', 'zoo', '--dry-run');
  const facts = 'Read as ; between fields, decimal comma, the mapping "Zoo".';
  assert.ok(dry.text.includes(`${facts}\n1 new pet made by a code: check for mistyped codes.\n`), dry.text);
  const json = await cli('pets', 'import', next, '--mapping', 'Zoo', '--json');
  assert.deepEqual(JSON.parse(json.stdout), {
    created: 1,
    changed: 2,
    unchanged: 0,
    newPetsToCheck: 1,
    reading: {
      encoding: 'utf-8',
      separator: ';',
      headingLine: 1,
      sheet: null,
      decimal: 'comma',
      leftOut: [],
      mapping: 'Zoo',
    },
  });
  const unknown = await run('import', next, '--mapping', 'Zo');
  assert.deepEqual(unknown, { code: 1, text: 'error: There is no mapping "Zo".\n' });
  const lacking = await run('import', fileOf('sku,menge\nA-1,1\n'), '--mapping', 'Zoo');
  assert.match(
    lacking.text,
    /the file has no columns "Best\.Nr", "lagernd", which the mapping "Zoo" has; use another/,
  );
  assert.match((await run('mappings', 'list')).text, /^NAME +COLUMNS +UPDATED\nZoo +3 /);
  assert.match(
    (await run('mappings', 'show', 'zoo')).text,
    /^Zoo: 3 columns, written .* by cli\n {2}Best\.Nr -> sku\n {2}lagernd -> quantity\n {2}Preis -> left out\ndecimal {4}comma\n$/,
  );
  const shown = JSON.parse((await cli('pets', 'mappings', 'show', 'Zoo', '--json')).stdout);
  assert.deepEqual(parseMapping(JSON.stringify(shown)), {
    name: 'Zoo',
    columns: ZOO.columns,
    decimal: 'comma',
    encoding: null,
    sheet: null,
  });
  assert.match(
    (await run('mappings', 'delete', 'Zoo', '--dry-run')).text,
    /Would be deleted: Zoo: 3 columns/,
  );
  assert.deepEqual(await run('mappings', 'delete', 'Zoo'), {
    code: 0,
    text: 'The mapping Zoo is deleted.\n',
  });
  assert.deepEqual(await run('mappings', 'show', 'Zoo'), {
    code: 1,
    text: 'error: There is no mapping "Zoo".\n',
  });
  assert.deepEqual(await run('mappings', 'list'), { code: 0, text: 'There are no mappings.\n' });
});

once('the management API remembers a mapping, reads a file by it, and names it', async (t) => {
  const app = await startApp(t, { pets: [petRow(1)] });
  const staff = (await app.makeAdminKey('staff')).key;
  const send = (method: string, path: string, body?: string, type = 'application/json') =>
    app.request(method, `/admin/v1${path}`, {
      key: staff,
      ...(body !== undefined && { body, headers: { 'Content-Type': type } }),
    });
  const body = JSON.stringify({ columns: ZOO.columns, decimal: 'comma' });
  const made = await send('PUT', '/import-mappings/Zoo%2FS%C3%BCd', body);
  assert.equal(made.status, 200);
  const json = made.json as unknown as Record<string, unknown>;
  assert.deepEqual(
    [json.name, json.columns, json.decimal, json.encoding, json.sheet],
    ['Zoo/Süd', ZOO.columns, 'comma', null, null],
  );
  assert.deepEqual((await send('GET', '/import-mappings/zoo%2Fs%C3%BCd')).json, made.json);
  assert.deepEqual((await send('GET', '/import-mappings')).json, [made.json]);
  const wrong: readonly (readonly [string, string, number, RegExp])[] = [
    ['/import-mappings/a%00b', body, 400, /invisible or unreadable/],
    ['/import-mappings/%20', body, 400, /begins or ends with a space/],
    [`/import-mappings/${'x'.repeat(61)}`, body, 400, /1 to 60 characters/],
    ['/import-mappings/Zoo', '{"columns":[]}', 400, /columns/],
    ['/import-mappings/Zoo', '{"columns":[{"heading":"a","field":"colour"}]}', 400, /field/],
    [
      '/import-mappings/Zoo',
      '{"columns":[{"heading":"a","field":"sku"},{"heading":"A ","field":null}]}',
      400,
      /twice/,
    ],
    ['/import-mappings/Zoo', '{"columns":[{"heading":"a","field":null}],"mode":"add"}', 400, /mode/],
    [
      '/import-mappings/none',
      '{"columns":[{"heading":"a","field":null}],"name":"b"}',
      404,
      /no mapping .{2}none/,
    ],
    ['/import-mappings/Zoo', `{"columns":${' '.repeat(270_000)}[]}`, 413, /262144 bytes/],
    // Refused before it is parsed, which takes long for many small values.
    ['/import-mappings/Zoo', `{"columns":[[${'1.5,'.repeat(308)}1]]}`, 400, /more than 308 values/],
  ];
  for (const [path, sent, status, message] of wrong) {
    const refused = await send('PUT', path, sent);
    assert.equal(refused.status, status, refused.text);
    assert.match(refused.text, message);
  }
  const csv = 'Best.Nr;lagernd;Preis\nA-1;1.200;1\n';
  const unknown = await send('POST', '/imports?mapping=Zoo', csv, 'text/csv');
  assert.equal(unknown.status, 400);
  assert.match(unknown.text, /there is no mapping .*Zoo.*import-mappings.* lists them/);
  assert.equal((await send('POST', '/imports?mapping=a%00', csv, 'text/csv')).status, 400);
  const created = await send('POST', '/imports?mapping=Zoo%2FS%C3%BCd', csv, 'text/csv');
  const { id } = created.json as unknown as { id: string };
  const found = async () =>
    (await send('GET', `/imports/${id}`)).json as unknown as {
      state: string;
      newPetsToCheck: number;
      reading: { mapping: string };
    };
  await until(async () => (await found()).state === 'planned', 'it is planned');
  const { reading, newPetsToCheck } = await found();
  assert.deepEqual([reading.mapping, newPetsToCheck], ['Zoo/Süd', 0]);
  const viewer = (await app.makeAdminKey('viewer')).key;
  const asViewer = (method: string, sent?: string) =>
    app.request(method, '/admin/v1/import-mappings/Zoo%2FS%C3%BCd', {
      key: viewer,
      ...(sent !== undefined && { body: sent, headers: { 'Content-Type': 'application/json' } }),
    });
  assert.deepEqual(
    [(await asViewer('GET')).status, (await asViewer('PUT', body)).status, (await asViewer('DELETE')).status],
    [200, 403, 403],
  );
  assert.equal((await send('DELETE', '/import-mappings/Zoo%2FS%C3%BCd')).status, 204);
  assert.equal((await send('DELETE', '/import-mappings/Zoo%2FS%C3%BCd')).status, 404);
});
