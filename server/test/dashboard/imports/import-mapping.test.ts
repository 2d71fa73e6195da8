import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsCsv } from '../../../../web/src/pages/imports/plan/errors-csv.ts';
import { wholeNumber } from '../../../../web/src/pages/imports/send/cell-values.ts';
import { CsvRecords, UnreadableCsv } from '../../../../web/src/pages/imports/send/csv-records.ts';
import { readHead, UnusableFile } from '../../../../web/src/pages/imports/send/file-head.ts';
import {
  CsvMapper,
  fileToSend,
  type MendedRows,
} from '../../../../web/src/pages/imports/send/mapped-file.ts';
import { guessMapping, PET_FIELDS as WEB_FIELDS } from '../../../../web/src/pages/imports/send/pet-fields.ts';
import { PET_FIELDS } from '../../../src/pet-file/headings.ts';

const MAPPING = ['petId', null, 'quantity'] as const;
const TEXT = 'nr;info;qty\r\n1;"a;""b""\n\nc";2\n\n"3";;4';

test('the fields are those that the service reads', () => {
  assert.deepEqual([...WEB_FIELDS].toSorted(), [...PET_FIELDS].toSorted());
});

test('columns are guessed by their names, each field once', () => {
  const headers = ['Artikel-Nr.', 'Stück', 'quantity', 'Bezeichnung', 'Größe', 'Verfügbarkeit'];
  assert.deepEqual(guessMapping(headers), ['petId', null, 'quantity', 'name', null, 'status']);
  assert.deepEqual(guessMapping(['petId', 'petId', 'Anzahl']), ['petId', null, 'quantity']);
});

test('a file is mapped the same in pieces of any size, and each row keeps its line', () => {
  const expected = 'petId,quantity\n1,2\n\n\n\n3,4\n';
  for (let size = 1; size <= TEXT.length; size += 1) {
    const mapper = new CsvMapper({ separator: ';' }, MAPPING);
    let text = '';
    for (let start = 0; start < TEXT.length; start += size)
      text += mapper.map(TEXT.slice(start, start + size), false);
    assert.equal(text + mapper.map('', true), expected, `pieces of ${size}`);
  }
});

test('what is not CSV is reported with its line', () => {
  const faultOf = (text: string) => {
    try {
      new CsvMapper({ separator: ',' }, ['petId', 'quantity']).map(text, true);
    } catch (error) {
      if (error instanceof UnreadableCsv) return `${error.line} ${error.fault}`;
    }
    return undefined;
  };
  assert.equal(faultOf('a,b\n1,"2'), '2 quote-open');
  assert.equal(faultOf('a,b\n"1"2,3\n'), '2 quote-followed');
  assert.equal(faultOf('a,b\n"1\n",2\n"3'), '4 quote-open');
  assert.throws(() => new CsvRecords(',').read('x'.repeat(65_537), false), { fault: 'row-too-long' });
});

test('the beginning of a file decides its format, separator and encoding', async () => {
  const head = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const { format, csv } = await readHead(new File([content], name));
    return [format, csv?.separator, csv?.encoding, csv?.headers];
  };
  assert.deepEqual(await head('a.txt', 'id\tn\n1\t2'), ['csv', '\t', 'utf-8', ['id', 'n']]);
  const latin = Uint8Array.from(Buffer.from('id;Stück\n1;2', 'latin1'));
  assert.deepEqual(await head('a.csv', latin), ['csv', ';', 'windows-1252', ['id', 'Stück']]);
  const wide = Uint8Array.from(Buffer.from('id;n\n1;2', 'utf16le'));
  assert.deepEqual(await head('a.csv', wide), ['csv', ';', 'utf-16le', ['id', 'n']]);
  const swapped = Uint8Array.from(Buffer.from('\uFEFFid;n\n1;2', 'utf16le').swap16());
  assert.deepEqual(await head('a.csv', swapped), ['csv', ';', 'utf-16be', ['id', 'n']]);
  assert.deepEqual(await head('a.csv', swapped.subarray(2)), ['csv', ';', 'utf-16be', ['id', 'n']]);
  await assert.rejects(head('a.csv', 'x'.repeat(10_000_000)), { fault: 'row-too-long', line: 1 });
  assert.deepEqual((await head('a.txt', ' [{"petId":1}]'))[0], 'json');
  assert.deepEqual((await head('a.json', '{"petId":1}\n'))[0], 'ndjson');
  const isUnusable = (error: unknown) => error instanceof UnusableFile;
  await assert.rejects(readHead(new File(['PK\u0003\u0004…'], 'a.csv')), isUnusable);
  await assert.rejects(readHead(new File([' \n'], 'a.csv')), isUnusable);
});

test('a file with the names of the service is sent as it is', async () => {
  const { signal } = new AbortController();
  const send = async (text: string) => {
    const head = await readHead(new File([text], 'own.csv'));
    const { body } = await fileToSend(head, ['petId', 'quantity'], () => undefined, signal);
    return body === head.file ? 'the file' : body.text();
  };
  assert.equal(await send('petId,quantity\n1,2'), 'the file');
  assert.equal(await send('petId;quantity\n1;"2"\n'), 'petId,quantity\n1,2\n');
  assert.equal(await send('petId,quantity\n1,"1,200"\n'), 'petId,quantity\n1,1200\n');
  assert.equal(await send('petId,quantity\n1,2,,\n'), 'petId,quantity\n1,2\n');
});

test('whole numbers are read as people write them, and no number is guessed', () => {
  const read = [
    ['1.200', ';', '1200'],
    ['1,200', ';', '1200'],
    ['1 200', ',', '1200'],
    ["1'200'300", ',', '1200300'],
    ['12,0', ';', '12'],
    ['12.00', ';', '12'],
    ['1.200,00', ';', '1200'],
    ['1,200.0', ',', '1200'],
    ['1.000', ';', '1000'],
    ['1,000', ',', '1000'],
    ['1.000.000', ',', '1000000'],
    [' +5 ', ',', '5'],
    ['−5', ',', '-5'],
    ['007', ',', '007'],
  ] as const;
  for (const [text, separator, number] of read) assert.equal(wholeNumber(text, separator), number, text);
  const refused = [
    '1,000',
    '12,5',
    '1.5',
    '1.20,00',
    '1.2.3',
    '1.200,0.0',
    '',
    '-',
    'x',
    '1e3',
    '1.200.00',
    '12,',
  ];
  for (const text of refused) assert.equal(wholeNumber(text, ';'), undefined, text);
  assert.equal(wholeNumber('1.000', ','), undefined);
  assert.equal(wholeNumber('1.000', '\t'), undefined);
  assert.equal(wholeNumber(`${'1,'.repeat(50_000)}x`, ';'), undefined);
});

test('rows that the service would refuse are left out with their content, or mended', () => {
  const text = 'nr;qty;state\n1;zwölf;sold\n2;1.200;sold\n3\nx;5;gone\n4;12,0;\n';
  const map = (mended?: MendedRows) => {
    const mapper = new CsvMapper({ separator: ';' }, ['petId', 'quantity', 'status'], mended);
    return { text: mapper.map(text, true), mapper };
  };
  const first = map();
  assert.equal(first.text, 'petId,quantity,status\n\n2,1200,sold\n\n\n4,12,\n');
  assert.equal(first.mapper.badCount, 3);
  assert.deepEqual(first.mapper.bad, [
    { line: 2, values: { petId: '1', quantity: 'zwölf', status: 'sold' }, wrong: ['quantity'] },
    { line: 4, values: { petId: '3', quantity: '', status: '' }, wrong: ['quantity'] },
    { line: 5, values: { petId: 'x', quantity: '5', status: 'gone' }, wrong: ['petId', 'status'] },
  ]);
  const mended = map(
    new Map([
      [2, { petId: '1', quantity: '12', status: 'sold' }],
      [4, { petId: '3', quantity: '7', status: '' }],
      [5, { petId: '5', quantity: '5', status: 'gone' }],
    ]),
  );
  assert.equal(mended.text, 'petId,quantity,status\n1,12,sold\n2,1200,sold\n3,7,\n\n4,12,\n');
  assert.deepEqual(
    mended.mapper.bad.map(({ line, wrong }) => [line, wrong]),
    [[5, ['status']]],
  );
});

test('the file of errors has no formula for a spreadsheet', () => {
  const error = { line: 2, element: null, field: 'name', message: '=1+1 is "wrong"; see above', row: null };
  assert.equal(
    errorsCsv([error]),
    `line,element,column,message\r\n2,,name,"'=1+1 is ""wrong""; see above"\r\n`,
  );
});
