import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseCount, provenDecimal } from '@petstore-inventory/shared/pet-file/counts';
import { SEPARATORS } from '@petstore-inventory/shared/pet-file/csv-records';
import type { ReadOptions } from '@petstore-inventory/shared/pet-file/read';
import { PetFileError } from '@petstore-inventory/shared/pet-file/refused-file';
import { DECIMALS } from '@petstore-inventory/shared/words';
import fc from 'fast-check';
import { readPetFile } from '../support/read-pet-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'pet-files-'));

function read(content: string | Uint8Array, options: ReadOptions = {}): readonly string[] {
  const file = join(folder, 'a.csv');
  writeFileSync(file, content);
  return readPetFile(file, options).map(({ petId, name, quantity }) =>
    [petId, ...(name === null ? [] : [name]), quantity].join(' '),
  );
}

function refusal(content: string | Uint8Array, options?: ReadOptions): string {
  try {
    read(content, options);
  } catch (error) {
    assert.ok(error instanceof PetFileError, String(error));
    return error.message;
  }
  throw new Error('The file was read.');
}

describe('numbers with two readings are read as the file proves them', () => {
  test('one number proves its mark, and most prove nothing', () => {
    for (const [text, decimal] of [
      ['12,0', 'comma'],
      ['12.5', 'point'],
      ['0,500', 'comma'],
      ['1200,000', 'comma'],
      ['1.200.000', 'comma'],
      ['12,345,678', 'point'],
      ['1.200,5', 'comma'],
      ['1,200.50', 'point'],
      ['1 200,5', 'comma'],
      ["1'200.5", 'point'],
      ['-3,25', 'comma'],
      ['1.200', undefined],
      ['1,200', undefined],
      ['1 200', undefined],
      ['1200', undefined],
      ['1.200.50', undefined],
      ['01.03.2026', undefined],
      ['1.2.3', undefined],
      ['192.168.1.1', undefined],
      ['1.5 kg', undefined],
      ['', undefined],
    ] as const)
      assert.equal(provenDecimal(text), decimal, text);
  });

  test('each other number of the file, before and after, decides', () => {
    assert.deepEqual(read('id;menge\n1;1.200\n2;12,0\n'), ['1 1200', '2 12']);
    assert.deepEqual(read('id;menge\n1;1.200.000\n2;1.200\n'), ['1 1200000', '2 1200']);
    assert.deepEqual(read('id;menge;min\n1;1,200;\n2;12;3.0\n'), ['1 1200', '2 12']);
    assert.match(refusal('id;menge\n1;1,200\n2;12,0\n'), /line 2, quantity: "1,200" is not a whole number/);
    assert.deepEqual(read('id;menge\n1;1,000\n2;12,0\n'), ['1 1', '2 12']);
  });

  test('a column of prices decides, although it is not kept', () => {
    const text = 'Tiernummer;Bestand;EK-Preis\n1;1.200;12,99\n2;7;1,50\n';
    assert.deepEqual(read(text, { ignored: ['EK-Preis'] }), ['1 1200', '2 7']);
    const lengths = text.replace('EK-Preis', 'Länge');
    assert.match(refusal(lengths, { ignored: ['Länge'] }), /"1\.200" could be 1200 or 1\.2/);
  });

  test('without a proof, and with both, it is a question with an option that answers it', () => {
    for (const text of ['id;menge\n1;1.200\n2;3\n', 'id;menge\n1;1.200\n2;3,0\n3;3.0\n']) {
      assert.match(
        refusal(text),
        /a\.csv: 1 row is wrong; nothing was imported\.\n {2}line 2, quantity: "1\.200" could be 1200 or 1\.2: it is 1200 with decimal comma, and 1\.2 with decimal point\.\nTo decide it, repeat with --decimal comma or --decimal point\.$/,
      );
      assert.equal(read(text, { decimal: 'comma' })[0], '1 1200');
      assert.match(refusal(text, { decimal: 'point' }), /"1\.200" is not a whole number/);
    }
  });

  test('a whole number in any spelling is read as that number', () => {
    const number = fc.integer({ min: 0, max: 9_999_999_999 });
    const mark = fc.constantFrom(...DECIMALS);
    fc.assert(
      fc.property(number, mark, fc.nat(3), fc.boolean(), (count, decimal, zeros, isGrouped) => {
        const [group, point] = decimal === 'comma' ? ['.', ','] : [',', '.'];
        const whole = isGrouped ? String(count).replace(/\B(?=(\d{3})+$)/g, group) : String(count);
        const text = zeros === 0 ? whole : `${whole}${point}${'0'.repeat(zeros)}`;
        assert.equal(parseCount(text, decimal), count, text);
        const alone = parseCount(text);
        if (typeof alone === 'number') assert.equal(alone, count, text);
        const proven = provenDecimal(text);
        if (proven !== undefined) assert.equal(proven, decimal, text);
      }),
      { numRuns: 2_000, seed: 24 },
    );
  });

  test('any text is a count, a question or nothing, in linear time', () => {
    const hostile = fc.string({ unit: fc.constantFrom('1', '0', '.', ',', ' ', "'", '-'), maxLength: 80 });
    fc.assert(
      fc.property(hostile, (text) => {
        parseCount(text);
        provenDecimal(text);
      }),
      { numRuns: 2_000, seed: 24 },
    );
    for (const text of ['1.', '1,000', '1 ']) {
      const times = [100_000, 1_000_000].map((length) => {
        const long = `${text.repeat(length)}x`;
        const beganAt = process.cpuUsage().user;
        parseCount(long);
        return process.cpuUsage().user - beganAt;
      });
      assert.ok((times[1] ?? 0) < 200_000, `${text}: ${times.join(' and ')} µs`);
    }
  });
});

describe('headings below other rows', () => {
  test('rows with a title, blank rows and a date are above the headings, and lines stay', () => {
    for (const separator of SEPARATORS) {
      const row = (...fields: string[]) =>
        fields.map((text) => (text.includes(separator) ? `"${text}"` : text)).join(separator);
      const lines = [
        row('Zoogroßhandel Müller, Bestandsliste', '', '', ''),
        row('Stand:', '01.03.2026', '', ''),
        '',
        row('Tiernummer', 'Bezeichnung', 'Bestand', ''),
        row('7', 'Napf, blau; groß', '3', ''),
        row('8', '', 'x', ''),
      ];
      const message = refusal(lines.join('\r\n'));
      assert.match(message, /line 6, quantity: "x" is not a whole number/);
      assert.deepEqual(read(lines.slice(0, -1).join('\r\n')), ['7 Napf, blau; groß 3']);
    }
  });

  test('no headings within 21 rows: the row with the most known ones is refused', () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i};${i}`);
    assert.match(
      refusal(rows.join('\n')),
      /^\S+a\.csv, line 1: the columns "0" and "0" are not kept|line 1: /,
    );
    assert.match(
      refusal(['Liste;;', 'Tiernummer;Name;', ...rows].join('\n')),
      /line 2: the column quantity is missing; name its heading quantity, or one of qty, stock, Menge, Bestand\./,
    );
    const above = (count: number) => [...Array(count).fill('Titel;'), 'id;menge', '1;2'].join('\n');
    assert.deepEqual(read(above(20)), ['1 2']);
    assert.match(refusal(above(21)), /line 1: /);
  });

  test('two columns for one field are named with the options that leave one out', () => {
    const text = 'id;Menge;Bestand;x y\n1;2;3;4\n';
    assert.match(
      refusal(text, { ignored: ['x y'] }),
      /the columns "Menge" and "Bestand" are both quantity; leave one of them out\. To leave one of them out, repeat with --ignore Menge or --ignore Bestand\. Nothing was imported\.$/,
    );
    assert.deepEqual(read(text, { ignored: ['x y', 'Menge'] }), ['1 3']);
    assert.doesNotMatch(refusal('id;Menge;Menge\n1;2;3\n'), /--ignore/);
  });

  test('the separator of a title does not decide', () => {
    assert.deepEqual(read('a,b,c,d,e,f\nid;menge\n1;2\n'), ['1 2']);
    assert.deepEqual(read('"Liste; neu; von; heute"\nid,menge\n1,2\n'), ['1 2']);
    const named = 'sep=;\nid;menge;id,menge,name\n1;2;x\n';
    assert.deepEqual(read(named, { ignored: ['id,menge,name'] }), ['1 2']);
  });
});

describe('an encoding that is a guess is a question', () => {
  const file = (name: string) => Buffer.from(`id;menge;name\n1;2;a\n2;3;${name}\n`, 'latin1');

  test('letters and signs of Windows-1252 are read', () => {
    assert.deepEqual(read(file('M\xfcller \x84gro\xdf\x93 l\x92eau \x80 \x8aibenik ko\x9aava')), [
      '1 a 2',
      '2 Müller „groß“ l’eau € Šibenik košava 3',
    ]);
  });

  test('letters of DOS and of an old Mac are a question with an option, on their line', () => {
    for (const name of ['M\x84use', 'K\x94nig', 'M\x81ller', 'H\x8andler', 'M\x9frz']) {
      assert.match(
        refusal(file(name)),
        /a\.csv, line 3: this is hardly Windows-1252, nor is it UTF-8; save .* repeat with --encoding and utf-8, utf-16le, utf-16be, windows-1252\. Nothing was imported\.$/,
        name,
      );
      if (name !== 'M\x81ller') assert.equal(read(file(name), { encoding: 'windows-1252' }).length, 2);
    }
  });

  test('a given encoding decides, also of UTF-16 without a mark that begins with other letters', () => {
    const text = 'ид;id;menge\nя;1;2\n';
    assert.deepEqual(read(Buffer.from(text, 'utf16le'), { encoding: 'utf-16le', ignored: ['ид'] }), ['1 2']);
    assert.deepEqual(read(Buffer.from(`\ufeff${text}`), { encoding: 'utf-8', ignored: ['ид'] }), ['1 2']);
  });
});
