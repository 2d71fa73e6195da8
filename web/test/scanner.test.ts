import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScanBurst } from '../src/components/scanner/scan-burst.ts';
import { petIdOf } from '../src/stock/codes.ts';

/** What the last key leads to, with each key as its name and its time; `⏎` and `⇥` are Enter and Tab. */
function pressed(keys: string, timesMs: readonly number[], minLength?: number) {
  const burst = new ScanBurst();
  const names: Readonly<Record<string, string>> = { '⏎': 'Enter', '⇥': 'Tab', '⇧': 'Shift' };
  const found = [...keys].map((key, i) => burst.press(names[key] ?? key, timesMs[i] ?? 0, minLength)).at(-1);
  return typeof found === 'object' ? found.code : burst.rest()?.code;
}

const every = (gapMs: number, keys: string) => Array.from(keys, (_key, i) => 1_000 + i * gapMs);

/** Gaps in turn: a radio sends a key, waits for its interval, and then sends those that waited. */
function inTurn(gapsMs: readonly number[], keys: string): readonly number[] {
  let atMs = 1_000;
  return Array.from(keys, (_key, i) => (atMs += i === 0 ? 0 : (gapsMs[i % gapsMs.length] as number)));
}

const EAN = '4006381333931';

test('keys of real scanners are codes', () => {
  for (const [scanner, keys, times, code] of [
    ['USB, Enter', '4711⏎', every(2, '4711⏎'), '4711'],
    ['USB, 8 ms polling, Enter', `${EAN}⏎`, every(8, `${EAN}⏎`), EAN],
    ['USB, Tab', '0045⇥', every(5, '0045⇥'), '0045'],
    ['USB, EAN-8 with Tab', '96385074⇥', every(5, '96385074⇥'), '96385074'],
    ['USB, no key at the end, EAN-13', EAN, every(3, EAN), EAN],
    ['USB, no key at the end, EAN-8', '96385074', every(3, '96385074'), '96385074'],
    ['USB, no key at the end, UPC-A', '036000291452', every(16, '036000291452'), '036000291452'],
    ['USB, no key at the end, a case', '10036000291459', every(16, '10036000291459'), '10036000291459'],
    ['the kind of barcode before it', `]E0${EAN}⏎`, every(4, `]E0${EAN}⏎`), `]E0${EAN}`],
    ['the kind of barcode, no key at the end', `]E0${EAN}`, every(4, `]E0${EAN}`), `]E0${EAN}`],
    ['capital letters with Shift', '⇧D⇧O⇧G-0042⏎', every(6, '⇧D⇧O⇧G-0042⏎'), 'DOG-0042'],
    ['Code 128 with spaces', 'box 7 of 9⏎', every(10, 'box 7 of 9⏎'), 'box 7 of 9'],
    ['pause between keys set to 40 ms', '00471⏎', every(40, '00471⏎'), '00471'],
    ['radio, slow', '00471⏎', every(44, '00471⏎'), '00471'],
    ['radio, a key comes late', '4711⏎', [0, 10, 100, 101, 110], '4711'],
    [
      'radio, a key comes late in a long code',
      `${EAN}⏎`,
      [...every(10, '4006381').map((ms) => ms - 1_000), ...every(12, '333931⏎').map((ms) => ms - 660)],
      EAN,
    ],
    ['Bluetooth, 60 ms, Code 128', 'DOG-0042⏎', every(60, 'DOG-0042⏎'), 'DOG-0042'],
    ['Bluetooth, 78 ms, Code 128', 'SHELF-12-B⏎', every(78, 'SHELF-12-B⏎'), 'SHELF-12-B'],
    ['Bluetooth, 100 ms, EAN-13', `${EAN}⏎`, every(100, `${EAN}⏎`), EAN],
    ['Bluetooth, 95 ms, Tab', `${EAN}⇥`, every(95, `${EAN}⇥`), EAN],
    ['Bluetooth, 90 ms, no key at the end', EAN, every(90, EAN), EAN],
    ['Bluetooth on a phone, in bundles', `${EAN}⏎`, inTurn([220, 5, 5], `${EAN}⏎`), EAN],
  ] as const) {
    assert.equal(pressed(keys, times), code, scanner);
  }
});

test('keys of a person are no code, however fast', () => {
  for (const [what, keys, times] of [
    ['a digit, and Enter with the other hand', '4⏎', [0, 25]],
    ['two digits with two fingers', '12⏎', every(20, '12⏎')],
    ['three keys of a pad that roll', '123⏎', every(30, '123⏎')],
    ['four digits', '1200⏎', every(90, '1200⏎')],
    ['four digits of a cashier', '1200⏎', every(60, '1200⏎')],
    ['a name, by a fast typist', 'labrador⏎', every(70, 'labrador⏎')],
    ['a word whose keys roll', 'golden⏎', inTurn([30, 90, 50], 'golden⏎')],
    ['a long note, by a fast typist', 'the goldfish arrived⏎', every(60, 'the goldfish arrived⏎')],
    ['a date', '2026-11-24⏎', every(110, '2026-11-24⏎')],
    ['a GTIN that was typed', `${EAN}⏎`, every(150, `${EAN}⏎`)],
    ['a SKU that was typed fast', 'DOG-0042⏎', every(95, 'DOG-0042⏎')],
    ['Enter alone', '⏎', [0]],
    ['Tab after a letter', 'a⇥', [0, 5]],
    ['Tab between short fields', '123⇥', every(15, '123⇥')],
    ['the end of what was typed', '35⏎', [0, 200, 230]],
    ['Enter after a pause', '1234⏎', [0, 10, 20, 30, 340]],
    ['thirteen digits that are no trade number', '4006381333932', every(3, '4006381333932')],
    ['a trade number that was typed', '96385074', every(120, '96385074')],
  ] as const) {
    assert.equal(pressed(keys, times), undefined, what);
  }
  assert.equal(pressed('7⏎', every(12, '7⏎'), 1), '7', 'where digits mean nothing else');
  assert.equal(pressed('⏎', [0], 1), undefined);
});

test('a code may follow another key, or another code, and have two keys at its end', () => {
  const burst = new ScanBurst();
  assert.equal(burst.press('9', 0), 'begin');
  assert.equal(burst.press('4', 500), 'begin');
  for (const [i, key] of [...'711'].entries()) assert.equal(burst.press(key, 510 + i), undefined);
  assert.deepEqual(burst.press('Enter', 520), { code: '4711' });
  assert.equal(burst.press('Enter', 530), 'suffix', 'a line end of two characters');
  assert.equal(burst.press('7', 540), 'begin');
  burst.rest();
  assert.equal(burst.press('8', 850), 'begin');
  for (const [i, key] of [...'000'].entries()) burst.press(key, 851 + i);
  assert.deepEqual(burst.press('Tab', 860), { code: '8000' });
  assert.equal(burst.press('Enter', 862), 'suffix');
  assert.equal(burst.press('Enter', 1_000), undefined, 'a person saves');
});

test('keys of a code that a busy machine delivers after a pause belong to it, by their times', () => {
  const burst = new ScanBurst();
  for (const [i, key] of [...EAN].entries()) {
    burst.press(key, i * 10);
    // The page saw no further key in time.
    if (i === 7) assert.equal(burst.rest(), undefined);
  }
  assert.deepEqual(burst.press('Enter', 130), { code: EAN });
});

test('a code is a petId in plain decimal, also with zeros before it', () => {
  assert.equal(petIdOf('0042'), '42');
  assert.equal(petIdOf(']C10042'), '42');
  assert.equal(petIdOf('-9223372036854775808'), '-9223372036854775808');
  for (const code of ['9223372036854775808', '', 'x1', '1.0', ' 1'])
    assert.equal(petIdOf(code), undefined, code);
});
