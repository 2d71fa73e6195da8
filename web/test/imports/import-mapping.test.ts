import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AmbiguousCount } from '@petstore-inventory/shared/pet-file/counts';
import { UnreadableCsv } from '@petstore-inventory/shared/pet-file/csv-records';
import { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import { guessMapping, type Mapping } from '@petstore-inventory/shared/pet-file/headings';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import { PetFile, readToEnd } from '@petstore-inventory/shared/pet-file/pet-file';
import { PetRows } from '@petstore-inventory/shared/pet-file/rows';
import type { Decimal } from '@petstore-inventory/shared/words';
import { workbook } from '../../../server/test/support/workbook.ts';
import { errorsCsv } from '../../src/pages/imports/plan/errors-csv.ts';
import { EmptyFile, readHead } from '../../src/pages/imports/send/file-head.ts';
import {
  columnsOf,
  CsvMapper,
  fileToSend,
  isMappedBy,
  type MendedRows,
} from '../../src/pages/imports/send/mapped-file.ts';

const MAPPING = ['petId', null, 'quantity'] as const;
const TEXT = 'nr;info;qty\r\n1;"a;""b""\n\nc";2\n\n"3";;4';

const choiceOf = (mapping: Mapping, mended: MendedRows = new Map()) =>
  ({ mapping, mode: 'set', mended }) as const;
const { signal } = new AbortController();

interface ServiceRows {
  readonly good: string[];
  readonly faults: [number, string[]][];
  readonly refusedLine: number | null | undefined;
}

/** What the service reads of a file: its rows, and the places that it refuses. */
function readByService(bytes: Uint8Array, mode: 'set' | 'add', decimal?: Decimal): ServiceRows {
  const good: string[] = [];
  const rows = new PetRows({
    mode,
    decimal,
    maxFaults: 1_000,
    onRow: (pet, { line }) => {
      const { petId, name, category, quantity, status, thresholds } = pet;
      good.push([line, petId, name, category, quantity, status, JSON.stringify(thresholds)].join());
    },
  });
  const file = new PetFile('csv', rows);
  let refusedLine: number | null | undefined;
  try {
    file.read(bytes);
    readToEnd(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    refusedLine = error.fault.line;
  }
  if (rows.decimalOfFile !== undefined) return readByService(bytes, mode, rows.decimalOfFile);
  const faults = new Map<number, string[]>();
  for (const { line, field } of rows.faults)
    faults.set(line ?? 0, [...(faults.get(line ?? 0) ?? []), ...(field === null ? [] : [field])].toSorted());
  return { good, faults: [...faults], refusedLine };
}

/** The same of a file that the dashboard sends: the service's rows of that, and the rows that the dashboard refuses. */
async function readByDashboard(bytes: Uint8Array<ArrayBuffer>, mode: 'set' | 'add') {
  try {
    const chosen = await readHead(new File([bytes], 'pets.csv'));
    const choice = { mapping: guessMapping(chosen.csv?.headers ?? []), mode, mended: new Map() };
    const { body, bad, decimal } = await fileToSend(chosen, choice, () => undefined, signal);
    const sent = readByService(await body.bytes(), mode, decimal);
    const linesOf = (faults: readonly (readonly [number, unknown])[]) => faults.map(([line]) => line);
    assert.deepEqual(linesOf(sent.faults), [...new Set(bad.map(({ line }) => line))], 'the same rows');
    const faults = bad.map(({ line, wrong }): [number, string[]] => [line, wrong.toSorted()]);
    return { good: sent.good, faults, refusedLine: sent.good.length > 0 ? sent.refusedLine : undefined };
  } catch (error) {
    if (error instanceof UnreadableCsv) return { good: [], faults: [], refusedLine: error.line };
    if (error instanceof EmptyFile) return { good: [], faults: [], refusedLine: null };
    if (!(error instanceof UnreadableFile)) throw error;
    return { good: [], faults: [], refusedLine: error.fault.line };
  }
}

test('the dashboard reads and refuses the rows of a file as every other door does', async () => {
  const counts = [
    '1200',
    '1.200',
    '1,200',
    '1.000',
    '0.500',
    '12,0',
    '12,50',
    '1.200,00',
    '1,200.00',
    '1 200',
  ];
  const odd = ['+5', '−5', '-5', '-1.200', '007', '1e3', '', ' 7 ', 'x', '1.200.000', '9007199254740993'];
  const quoted = (text: string, separator: string) => (text.includes(separator) ? `"${text}"` : text);
  const all = [...counts, ...odd];
  const files: (string | Uint8Array<ArrayBuffer>)[] = [
    ...[',', ';', '\t', '|'].map((separator) =>
      ['petId,quantity', ...all.map((text, i) => `${i + 1},${quoted(text, separator)}`)]
        .join('\r\n')
        .replace(/^(\w+),/gm, `$1${separator}`),
    ),
    'sep=;\r\nTier-Nr.;Stück;Bezeichnung\r\n7;1.200;Müsli\r\n8;3;"a; ""b""\r\nc"\r\n9;4;d\r\n',
    '\n \n\nid;menge;;\n1;2;;\n;;;\n2;3;4;\n3\n4;5;;;;\n',
    'petId,quantity,status,lowStockAt,restockAt\n1,2,gone,5,4\n2,1,sold,1.500,none\n3,1,,none,\n 4,1,,,\n05,1,,,',
    `id,menge,lieferant\n1,2,${'y'.repeat(101)}\n2,2,a\u0007b\n3,2,None\n4,2,=x\n`,
    `petId,quantity,name\n1,2,"'=x"\n2,2,${'y'.repeat(201)}\n3,2,a\u0007b\n`,
    'petId,quantity\n1,"2',
    'petId,quantity\n1,"2"3\n',
    'petId,quantity\n1,2"3\n',
    'petId,quantity\n1,"1\n2"\n\n2,3\n',
    ' \n\n',
    'PK\u0003\u0004…',
    Uint8Array.from(Buffer.from('Nr;Stück\n1;2\n2;3.400\n', 'latin1')),
    Uint8Array.from(Buffer.from('\uFEFFNr\tStück\n1\t2\n2\t3.400\n', 'utf16le')),
    Uint8Array.from(Buffer.from('\uFEFFNr|Stück\n1|2\n2|3.400\n', 'utf16le').swap16()),
    Uint8Array.from([...Buffer.from('Nr;Menge;Name\n1;2;ü\n2;3;'), 0xfc, 0x0a]),
  ];
  for (const file of files) {
    const bytes = typeof file === 'string' ? Uint8Array.from(Buffer.from(file)) : file;
    for (const mode of ['set', 'add'] as const) {
      const name = `${mode}: ${JSON.stringify(Buffer.from(bytes.subarray(0, 60)).toString())}`;
      const { good, faults, refusedLine } = readByService(bytes, mode);
      const expected = refusedLine === undefined ? { good, faults } : { good: [], faults: [] };
      assert.deepEqual(await readByDashboard(bytes, mode), { ...expected, refusedLine }, name);
    }
  }
});

test('columns are guessed by their names, each field once', () => {
  const headers = ['Tier-Nr.', 'Stück', 'quantity', 'Bezeichnung', 'Größe', 'Verfügbarkeit'];
  assert.deepEqual(guessMapping(headers), ['petId', null, 'quantity', 'name', null, 'status']);
  assert.deepEqual(guessMapping(['petId', 'petId', 'Anzahl']), ['petId', null, 'quantity']);
});

test('a file is mapped the same in pieces of any size, and each row keeps its line', () => {
  const expected = 'petId,quantity\n1,2\n\n\n\n3,4\n';
  for (let size = 1; size <= TEXT.length; size += 1) {
    const mapper = new CsvMapper(choiceOf(MAPPING));
    let text = '';
    for (let start = 0; start < TEXT.length; start += size)
      text += mapper.map(TEXT.slice(start, start + size), false);
    assert.equal(text + mapper.map('', true), expected, `pieces of ${size}`);
  }
});

test('a line that is not CSV is reported with its number', () => {
  const faultOf = (text: string) => {
    try {
      new CsvMapper(choiceOf(['petId', 'quantity'])).map(text, true);
    } catch (error) {
      if (error instanceof UnreadableCsv) return `${error.line} ${error.fault}`;
    }
    return undefined;
  };
  assert.equal(faultOf('a,b\n1,"2'), '2 quote-open');
  assert.equal(faultOf('a,b\n1,2"'), '2 quote-within');
  assert.equal(faultOf('a,b\n"1"2,3\n'), '2 quote-followed');
  assert.equal(faultOf('a,b\n"1\n",2\n"3'), '4 quote-open');
});

test('the beginning of a file decides its format and its columns', async () => {
  const head = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const { format, csv } = await readHead(new File([content], name));
    return [format, csv?.headers];
  };
  assert.deepEqual(await head('a.txt', 'id\tn\n1\t2'), ['csv', ['id', 'n']]);
  assert.deepEqual(await head('a.csv', 'sep=;\nid;n;;\n1;2'), ['csv', ['id', 'n']]);
  await assert.rejects(head('a.csv', 'x'.repeat(10_000_000)), { fault: 'row-too-long', line: 1 });
  assert.deepEqual((await head('a.txt', ' [{"petId":1}]'))[0], 'json');
  assert.deepEqual((await head('a.json', '{"petId":1}\n'))[0], 'ndjson');
  await assert.rejects(head('a.csv', 'PK\u0003\u0004…'), { message: /^the workbook is damaged/ });
  await assert.rejects(head('a.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0)), {
    message: /^this is a spreadsheet/,
  });
  const named = ['A', 'B'].map((name) => ({ name, rows: [['Liste'], ['Nr', 'Menge'], [7, 1]] }));
  const book = new File([workbook(named)], 'a.xlsx');
  await assert.rejects(readHead(book), { name: 'Question', answers: [{ sheet: 'A' }, { sheet: 'B' }] });
  const { format, csv } = await readHead(book, { sheet: 'B' });
  // A message shows the invisible characters of a name; the answer has the name itself.
  const hyphenated = 'Nord\u00ad"1"';
  const other = named.map((sheet, at) => (at === 0 ? { ...sheet, name: hyphenated } : sheet));
  await assert.rejects(readHead(new File([workbook(other)], 'b.xlsx')), {
    name: 'Question',
    answers: [{ sheet: hyphenated }, { sheet: 'B' }],
  });
  assert.deepEqual(
    [format, csv],
    ['xlsx', { headers: ['Nr', 'Menge'], headingLine: 2, samples: [['7', '1']] }],
  );
  await assert.rejects(head('a.csv', ' \n'), EmptyFile);
});

test('a workbook is sent as it is, or as the CSV of its mapped columns with the lines of its rows', async () => {
  const rows = [['Liste'], ['Nr', 'Menge', 'Ort'], [7, 1, 'A'], [], [8, 'x', 'B'], [9, '1.200', 'C']];
  const { format, bad, badCount, ...sent } = await (async (sheet) => {
    const chosen = await readHead(new File([workbook([sheet])], 'a.xlsx'));
    return fileToSend(chosen, choiceOf(['petId', 'quantity', null]), () => undefined, signal);
  })({ name: 'A', rows });
  assert.deepEqual([format, badCount, sent.decimal], ['csv', 2, undefined]);
  assert.equal(await sent.body.text(), '\npetId,quantity\n7,1\n\n8,x,8; x; B\n9,1.200,9; 1.200; C\n');
  assert.deepEqual(
    bad.map(({ line, values, wrong, ambiguous }) => [line, values, wrong, ambiguous.length]),
    [
      [5, { petId: '8', quantity: 'x' }, ['quantity'], 0],
      [6, { petId: '9', quantity: '1.200' }, ['quantity'], 1],
    ],
  );
  const plain = new File(
    [
      workbook([
        {
          name: 'A',
          rows: [
            ['Id', 'Menge'],
            [7, 1],
          ],
        },
      ]),
    ],
    'b.xlsx',
  );
  const whole = await fileToSend(
    await readHead(plain),
    choiceOf(['petId', 'quantity']),
    () => undefined,
    signal,
  );
  assert.deepEqual([whole.body === plain, whole.format, whole.badCount], [true, 'xlsx', 0]);
});

test('a file with columns that the service finds is sent as it is', async () => {
  const send = async (text: string) => {
    const head = await readHead(new File([text], 'own.csv'));
    const { body } = await fileToSend(head, choiceOf(['petId', 'quantity']), () => undefined, signal);
    return body === head.file ? 'the file' : body.text();
  };
  assert.equal(await send('petId,quantity\n1,2'), 'the file');
  assert.equal(await send('Id;Bestand\n1;"2"\n'), 'the file');
  assert.equal(await send('Nr;Ort\n1;"1,20,0"\n2;1 200,0\n'), 'petId,quantity\n1,"1,20,0"\n2,"1 200,0"\n');
});

test('rows that the service would refuse are sent so that it does, or mended', () => {
  const text = 'nr;qty;state\n1;zwölf;sold\n2;1.200,0;sold\n3\nx;5;gone\n4;12,0;\n5;1.200;\n';
  const map = (mended?: MendedRows) => {
    const mapper = new CsvMapper(choiceOf(['petId', 'quantity', 'status'], mended));
    return { text: mapper.map(text, true), mapper };
  };
  const first = map();
  assert.equal(
    first.text,
    'petId,quantity,status\n1,zwölf,sold\n2,"1.200,0",sold\n3,,,3\nx,5,gone\n4,"12,0",\n5,1.200,,5; 1.200; \n',
  );
  assert.equal(first.mapper.badCount, 4);
  const codes = first.mapper.bad.map(({ faults }) => faults.map(({ code }) => code).join());
  assert.deepEqual(codes, [
    'invalid_quantity',
    'wrong_field_count',
    'invalid_pet_id,invalid_status',
    'ambiguous_number',
  ]);
  const bad = first.mapper.bad.map(({ faults: _, ...row }) => row);
  assert.deepEqual(bad, [
    {
      line: 2,
      values: { petId: '1', quantity: 'zwölf', status: 'sold' },
      wrong: ['quantity'],
      ambiguous: [],
    },
    { line: 4, values: { petId: '3', quantity: '', status: '' }, wrong: [], ambiguous: [] },
    {
      line: 5,
      values: { petId: 'x', quantity: '5', status: 'gone' },
      wrong: ['petId', 'status'],
      ambiguous: [],
    },
    {
      line: 7,
      values: { petId: '5', quantity: '1.200', status: '' },
      wrong: ['quantity'],
      ambiguous: [new AmbiguousCount('1.200', ['1200', '1.2'], 'comma')],
    },
  ]);
  const mended = map(
    new Map([
      [2, { petId: '1', quantity: '12', status: 'sold' }],
      [4, { petId: '3', quantity: '7', status: '' }],
      [5, { petId: '5', quantity: '5', status: 'gone' }],
      [7, { petId: '5', quantity: '1200', status: '' }],
    ]),
  );
  assert.equal(
    mended.text,
    'petId,quantity,status\n1,12,sold\n2,"1.200,0",sold\n3,7,\n5,5,gone\n4,"12,0",\n5,1200,\n',
  );
  assert.deepEqual(
    mended.mapper.bad.map(({ line, wrong }) => [line, wrong]),
    [[5, ['status']]],
  );
});

test('the file of errors has no formula for a spreadsheet', () => {
  const error = {
    line: 2,
    element: null,
    field: 'name',
    row: null,
    ...importProblem('not_a_text', { value: 1 }),
  };
  assert.equal(
    errorsCsv([error], () => '=1+1 is "wrong"; see above'),
    `line,element,column,code,message\r\n2,,name,not_a_text,"'=1+1 is ""wrong""; see above"\r\n`,
  );
});

const ZOO = {
  name: 'Zoo',
  columns: [
    { heading: 'Best.Nr', field: 'sku' },
    { heading: 'lagernd', field: 'quantity' },
    { heading: 'Farbe', field: null },
  ],
  decimal: null,
  encoding: null,
  sheet: null,
} as const;

test('a remembered mapping whose columns a file has finds its headings, and the file is sent for it', async () => {
  const other = { ...ZOO, name: 'Other', columns: [{ heading: 'Ort', field: 'name' as const }] };
  const nothing = { ...ZOO, name: 'Nothing', columns: [{ heading: 'x', field: null }] };
  const head = (text: string, answer = {}) =>
    readHead(new File([text], 'a.csv'), answer, [nothing, other, ZOO]);
  const chosen = await head('Lieferung|x\nBEST.nr|Lagernd|Farbe\nA|1|rot\n');
  assert.deepEqual(
    [chosen.remembered?.name, chosen.csv?.headers, chosen.csv?.headingLine],
    ['Zoo', ['BEST.nr', 'Lagernd', 'Farbe'], 2],
  );
  assert.equal((await head('Ort|Best.Nr|lagernd\n')).remembered?.name, 'Zoo', 'the one with more columns');
  assert.equal((await head('sku|lagernd\nA|1\n')).remembered, undefined);
  const mapping = ['sku', 'quantity', null] as const;
  const sentBy = async (choice: object) => {
    const { body } = await fileToSend(
      chosen,
      { ...choiceOf(mapping), remembered: ZOO, ...choice },
      () => undefined,
      signal,
    );
    return body === chosen.file ? 'the file' : body.text();
  };
  assert.equal(await sentBy({}), 'the file');
  const mended = new Map([[3, { sku: 'A', quantity: '2' }]]);
  assert.equal(await sentBy({ mended }), '\nBEST.nr,Lagernd\nA,2\n', 'with the headings of the mapping');
  assert.equal(await sentBy({ remembered: undefined }), '\nsku,quantity\nA,1\n');
  assert.ok(isMappedBy(ZOO, ['Best.Nr', 'lagernd', 'Farbe'], mapping));
  assert.ok(!isMappedBy(ZOO, ['Best.Nr', 'lagernd', 'Farbe'], ['sku', 'quantity', 'name']));
  assert.deepEqual(columnsOf(['Nr', ' ', '', 'nr ', ' Menge'], ['sku', null, null, null, 'quantity']), [
    { heading: 'Nr', field: 'sku' },
    { heading: '', field: null },
    { heading: 'Menge', field: 'quantity' },
  ]);
});

test('a remembered mapping answers the questions about a file', async () => {
  const rows = [
    ['Best.Nr', 'lagernd', 'sku', 'Menge'],
    ['A', 1, 'A', 1],
  ];
  const book = new File([workbook(['Nord', 'Süd'].map((name) => ({ name, rows })))], 'a.xlsx');
  const chosen = await readHead(book, {}, [
    { ...ZOO, sheet: 'West' },
    { ...ZOO, name: 'Süd', sheet: 'Süd' },
  ]);
  assert.deepEqual([chosen.answer, chosen.remembered?.name], [{ sheet: 'Süd' }, 'Süd']);
  await assert.rejects(readHead(book, {}, [ZOO]), { name: 'Question' });
});
