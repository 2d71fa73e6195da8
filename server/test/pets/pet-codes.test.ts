import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { barcodeFault, barcodeKey, checkDigit } from '@petstore-inventory/shared/barcodes';
import fc from 'fast-check';
import { OperatorError } from '../../src/domain/errors.ts';
import { stockTag } from '../../src/domain/ledger/stock.ts';
import type { ActionAuthor } from '../../src/domain/management/activity.ts';
import type { NewPet } from '../../src/domain/management/pets.ts';
import { CODE_OWNER, owners } from '../../src/store/pets/pet-codes.ts';
import { READ_PETS } from '../../src/store/pets/pet-sql.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';
import { allPets, otherThread } from './indexed-pets.ts';

const once = testOnceIn();

const AUTHOR: ActionAuthor = { actor: 'key_ada', requestId: 'req-1' };
const EAN = '4006381333931';
const UPC = '036000291452';

function newPet(petId: bigint, fields: Partial<NewPet> = {}): NewPet {
  const empty = { name: null, category: null, quantity: 0, lowStockAt: null, restockAt: null };
  return { petId, status: 'available', ...empty, ...fields };
}

async function codeShop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const { pets } = store;
  return {
    store,
    database,
    pets,
    /** The details of the newest actions on a pet, oldest first. */
    details: async (petId: number) =>
      (await store.activity.list({ target: String(petId), limit: 50 }))
        .map(({ action, details }) => [action, details])
        .toReversed(),
    assertIntact: async () => assert.deepEqual((await store.verify()).faults, []),
  };
}

async function assertRefused(work: Promise<unknown>, code: string, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

test('a GTIN has the check digit of GS1, and is compared with 14 digits', () => {
  // Examples of GS1 (check digit calculator) and of products.
  for (const gtin of [EAN, UPC, '96385074', '10614141000415', '5901234123457', '73513537']) {
    assert.equal(barcodeFault(gtin), undefined, gtin);
    assert.equal(barcodeKey(gtin), gtin.padStart(14, '0'));
  }
  assert.equal(checkDigit('629104150021'), 3);
  fc.assert(
    fc.property(
      fc
        .constantFrom(7, 11, 12, 13)
        .chain((length) =>
          fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length }),
        ),
      fc.nat(8),
      fc.nat(12),
      (digits, other, place) => {
        fc.pre(/[1-9]/.test(digits));
        const right = `${digits}${checkDigit(digits)}`;
        assert.equal(barcodeFault(right), undefined);
        // One wrong digit is always found.
        const at = place % right.length;
        const wrong = `${right.slice(0, at)}${(Number(right[at]) + 1 + other) % 10}${right.slice(at + 1)}`;
        assert.match(barcodeFault(wrong) ?? '', /check digit, which must be \d\.$/);
      },
    ),
  );
});

once('a GTIN of zeros is refused at each length, and other zeros are a code', async (t) => {
  for (const length of [8, 12, 13, 14]) {
    assert.equal(barcodeFault('0'.repeat(length)), `has ${length} zeros, a number that no article has.`);
  }
  for (const length of [1, 7, 9, 11, 15]) assert.equal(barcodeFault('0'.repeat(length)), undefined);
  assert.equal(barcodeFault('00000017'), undefined, 'a number in a scale');
  const { pets } = await codeShop(t);
  await assertRefused(
    pets.create(newPet(1n, { barcodes: ['00000000'] }), AUTHOR),
    'validation_failed',
    /"00000000" has 8 zeros/,
  );
});

test('a barcode is up to 48 printable ASCII characters', () => {
  for (const code of ['1', 'A-1 b', '~ !', '123456789', '12345678901', '4006381333932X', 'x'.repeat(48)]) {
    assert.equal(barcodeFault(code), undefined, code);
    assert.equal(barcodeKey(code), code);
  }
  assert.match(barcodeFault('4006381333932') ?? '', /13 digits.*check digit, which must be 1\.$/);
  assert.match(barcodeFault('x'.repeat(49)) ?? '', /49 characters, and may have 48/);
  for (const code of ['', 'ä', 'a\u007f', 'a\u001db', '１２３', 'a\nb']) assert.ok(barcodeFault(code), code);
});

once(
  'a pet has codes from its creation on, as they were typed, and changes them with before and after',
  async (t) => {
    const { pets, details, assertIntact } = await codeShop(t);
    const created = await pets.create(newPet(1n, { sku: ' DOG-1 ', barcodes: [UPC, ' x y '] }), AUTHOR);
    assert.deepEqual([created.sku, created.barcodes], ['DOG-1', [UPC, 'x y']]);
    assert.deepEqual(await pets.find(1n), created);
    const edited = await pets.update(1n, { sku: null, barcodes: ['x y'] }, AUTHOR);
    assert.deepEqual([edited.sku, edited.barcodes], [null, ['x y']]);
    assert.notEqual(stockTag(edited), stockTag(created), 'another tag');
    assert.deepEqual(await pets.update(1n, { barcodes: ['x y'], sku: null }, AUTHOR), edited);
    await pets.update(1n, { name: 'Rex' }, AUTHOR);
    await pets.update(1n, { barcodes: [EAN, 'x y'] }, AUTHOR);
    await pets.update(1n, { barcodes: ['x y', EAN] }, AUTHOR);
    const changes = (await details(1)).map(([, one]) => one);
    const now = { petId: 1, name: null, category: null, quantity: 0, lowStockAt: null, restockAt: null };
    assert.deepEqual(changes, [
      { ...now, status: 'available', sku: 'DOG-1', barcodes: [UPC, 'x y'] },
      { sku: null, previousSku: 'DOG-1', barcodes: ['x y'], previousBarcodes: [UPC, 'x y'] },
      { name: 'Rex', previousName: null },
      { barcodes: [EAN, 'x y'], previousBarcodes: ['x y'] },
      { barcodes: ['x y', EAN], previousBarcodes: [EAN, 'x y'] },
    ]);
    assert.deepEqual((await pets.find(1n)).barcodes, ['x y', EAN]);
    await pets.create(newPet(2n, { sku: 'DOG-1', barcodes: [UPC] }), AUTHOR);
    await assertIntact();
  },
);

test('no two pets have the same code, in whichever length it is typed', async (t) => {
  const { pets, store, assertIntact } = await codeShop(t);
  await pets.create(newPet(1n, { name: 'Rex', sku: '\u00c4-1', barcodes: [UPC, 'box'] }), AUTHOR);
  await pets.create(newPet(2n), AUTHOR);
  const before = await pets.find(2n);
  for (const [changes, message] of [
    [{ barcodes: ['7', `0${UPC}`] }, /^Pet 1 \(Rex\) has the barcode "0036000291452"\.$/],
    [{ barcodes: [`00${UPC}`] }, /^Pet 1 \(Rex\) has the barcode/],
    [{ barcodes: ['box'], takeCodes: true }, /^Pet 1 \(Rex\) has the barcode "box"\.$/],
    [{ sku: 'A\u0308-1', name: 'Max' }, /^Pet 1 \(Rex\) has the SKU "A\u0308-1"\.$/],
  ] as const) {
    await assertRefused(pets.update(2n, changes, AUTHOR), 'code_in_use', message);
    await assertRefused(pets.create(newPet(3n, changes), AUTHOR), 'code_in_use', message);
  }
  assert.deepEqual(await pets.find(2n), before, 'nothing of a refused edit is left');
  assert.equal((await store.activity.list({ limit: 50 })).length, 2);
  // Upper case counts, and an SKU may be a barcode.
  await pets.update(2n, { sku: 'box', barcodes: ['BOX', '\u00c4-1'.replace('\u00c4', 'A')] }, AUTHOR);
  await pets.update(1n, { barcodes: [`0${UPC}`, 'box'] }, AUTHOR);
  assert.deepEqual((await pets.find(1n)).barcodes, [`0${UPC}`, 'box'], 'its own code in another length');
  await assertIntact();
});

once('codes that are none are refused with the reason', async (t) => {
  const { pets } = await codeShop(t);
  await pets.create(newPet(1n), AUTHOR);
  const many = Array.from({ length: 21 }, (_, i) => `code ${i}`);
  for (const [changes, message] of [
    [{ barcodes: ['4006381333932'] }, /"4006381333932" has 13 digits.* must be 1\.$/],
    [{ barcodes: [''] }, /^The barcode "" is empty\.$/],
    [{ barcodes: ['x'.repeat(49)] }, /49 characters/],
    [{ barcodes: ['\u001b[2J'] }, /^The barcode "\\u001b\[2J" has a character/],
    [{ barcodes: [UPC, `0${UPC}`] }, /^The barcodes 036000291452 and 0036000291452 are the same code\.$/],
    [{ barcodes: many }, /^There are 21 barcodes, and a pet may have 20\.$/],
    [{ sku: 'x'.repeat(65) }, /more than 64 characters/],
    [{ sku: '🐶'.repeat(65) }, /more than 64 characters/],
    [{ sku: 'a\u0000b' }, /not printable/],
    [{ sku: 'a\nb' }, /not printable/],
    [{ sku: 'a\u200bb' }, /not printable/],
    [{ sku: '\ud83d' }, /not printable/],
  ] as const) {
    await assertRefused(pets.update(1n, changes, AUTHOR), 'validation_failed', message);
    await assertRefused(pets.create(newPet(2n, changes), AUTHOR), 'validation_failed', message);
  }
  const widest = { sku: '🐶'.repeat(64), barcodes: many.slice(0, 20) };
  const { sku, barcodes } = await pets.update(1n, widest, AUTHOR);
  assert.deepEqual({ sku, barcodes }, widest);
});

once(
  'an archived pet keeps its codes until another pet takes them, and its restoration names those',
  async (t) => {
    const { pets, details, assertIntact } = await codeShop(t);
    await pets.create(newPet(1n, { sku: 'S', barcodes: [EAN, 'kept', UPC] }), AUTHOR);
    await pets.create(newPet(2n), AUTHOR);
    const archived = await pets.archive(1n, AUTHOR);
    assert.deepEqual([archived.sku, archived.barcodes], ['S', [EAN, 'kept', UPC]]);
    const wanted = { barcodes: ['new', `0${UPC}`], sku: 'S' };
    await assertRefused(
      pets.update(2n, wanted, AUTHOR),
      'code_in_use',
      /^Pet 1 has the SKU "S" and is archived; set takeCodes/,
    );
    const taker = await pets.update(2n, { ...wanted, takeCodes: true }, AUTHOR);
    assert.deepEqual([taker.sku, taker.barcodes], ['S', ['new', `0${UPC}`]]);
    const left = await pets.find(1n);
    assert.deepEqual([left.sku, left.barcodes], [null, [EAN, 'kept']]);
    assert.notEqual(stockTag(left), stockTag(archived), 'another tag');
    await pets.create(newPet(3n, { barcodes: [EAN], takeCodes: true }), AUTHOR);
    await assertIntact();
    const { takenCodes, ...restored } = await pets.restore(1n, AUTHOR);
    const taken = [
      { kind: 'sku', code: 'S', petId: 2n },
      { kind: 'barcode', code: UPC, petId: 2n },
      { kind: 'barcode', code: EAN, petId: 3n },
    ] as const;
    assert.deepEqual(takenCodes, taken);
    assert.deepEqual([restored.sku, restored.barcodes, restored.archivedAtMs], [null, ['kept'], null]);
    assert.deepEqual((await pets.restore(1n, AUTHOR)).takenCodes, [], 'it says so one time');
    assert.deepEqual((await details(1)).slice(1), [
      ['pets.archive', {}],
      [
        'pets.update',
        {
          sku: null,
          previousSku: 'S',
          barcodes: [EAN, 'kept'],
          previousBarcodes: [EAN, 'kept', UPC],
          takenBy: 2,
        },
      ],
      ['pets.update', { barcodes: ['kept'], previousBarcodes: [EAN, 'kept'], takenBy: 3 }],
      ['pets.restore', { takenCodes: taken.map((one) => ({ ...one, petId: Number(one.petId) })) }],
    ]);
    await pets.archive(1n, AUTHOR);
    assert.deepEqual((await pets.restore(1n, AUTHOR)).takenCodes, [], 'the second time nothing was taken');
    await assertIntact();
  },
);

test('an edit of an archived pet keeps what others have taken from it', async (t) => {
  const { pets } = await codeShop(t);
  await pets.create(newPet(1n, { sku: 'S', barcodes: ['kept'] }), AUTHOR);
  await pets.archive(1n, AUTHOR);
  await pets.create(newPet(2n, { sku: 'S', takeCodes: true }), AUTHOR);
  await pets.update(1n, { barcodes: ['other'] }, AUTHOR);
  assert.deepEqual((await pets.restore(1n, AUTHOR)).takenCodes, [{ kind: 'sku', code: 'S', petId: 2n }]);
});

once('a code finds its pet exactly and first', async (t) => {
  const { pets } = await codeShop(t);
  await pets.create(newPet(4711n, { name: 'by id' }), AUTHOR);
  await pets.create(newPet(1n, { name: 'by SKU 4711', sku: '4711' }), AUTHOR);
  await pets.create(newPet(2n, { name: 'by barcode', barcodes: ['4711', UPC] }), AUTHOR);
  await pets.create(newPet(3n, { name: '4711 by word' }), AUTHOR);
  await pets.create(newPet(5n, { name: 'n', sku: 'box-7 (x)', barcodes: ['+/='] }), AUTHOR);
  await pets.create(newPet(6n, { name: 'box 7 x' }), AUTHOR);
  const found = (query: string, limit = 100) => allPets(pets, { archived: 'exclude', query, limit });
  for (const limit of [1, 2, 3, 100]) assert.deepEqual(await found('4711', limit), [2n, 1n, 4711n, 3n]);
  assert.deepEqual(await found(' box-7 (x) '), [5n, 6n]);
  assert.deepEqual(await found('box-7 '), [6n]);
  assert.deepEqual(await found('+/='), [5n]);
  assert.deepEqual(await found(`00${UPC}`), [2n]);
  assert.deepEqual(await found(UPC.slice(0, -1)), [], 'no beginning of a code');
  const by = (filter: object) => allPets(pets, { archived: 'exclude', ...filter });
  assert.deepEqual(await by({ sku: '4711' }), [1n]);
  assert.deepEqual(await by({ barcode: `0${UPC}` }), [2n]);
  assert.deepEqual(await by({ barcode: '4711', sku: '4711' }), [], 'both of one pet');
  assert.deepEqual(await by({ barcode: '4711', status: 'sold' }), []);
  assert.deepEqual(await by({ barcode: '4711', query: 'barcode' }), [2n]);
  assert.deepEqual(await by({ barcode: '4711', query: '2' }), [2n]);
  assert.deepEqual(await by({ barcode: '4711', query: 'sku' }), []);
  await pets.archive(2n, AUTHOR);
  assert.deepEqual(await found('4711'), [1n, 4711n, 3n]);
  assert.deepEqual(await by({ barcode: UPC }), []);
  assert.deepEqual(await allPets(pets, { archived: 'only', barcode: UPC }), [2n]);
});

test('of two writers one gets a code, in each of many races', async (t) => {
  const { pets, database, assertIntact } = await codeShop(t);
  const others = [otherThread(t, database).pets, otherThread(t, database).pets] as const;
  for (let round = 0; round < 15; round += 1) {
    const ids = others.map((_, i) => BigInt(round * 10 + i));
    if (round % 2 === 0) for (const petId of ids) await pets.create(newPet(petId), AUTHOR);
    const code = `race ${round}`;
    const results = await Promise.allSettled(
      ids.map((petId, i) => {
        const codes = i === 0 ? { barcodes: [code] } : { barcodes: ['extra', code].slice(1) };
        const store = others[i] as (typeof others)[0];
        return round % 2 === 0
          ? store.update(petId, codes, AUTHOR)
          : store.create(newPet(petId, codes), AUTHOR);
      }),
    );
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'], code);
    const refused = results.find((one) => one.status === 'rejected');
    assert.equal((refused?.reason as OperatorError | undefined)?.code, 'code_in_use');
    assert.equal((await allPets(pets, { archived: 'include', barcode: code })).length, 1);
  }
  await assertIntact();
});

test('the database itself refuses a code a second time', async (t) => {
  const { pets, database } = await codeShop(t);
  await pets.create(newPet(1n, { sku: 'S' }), AUTHOR);
  await assert.rejects(database.run("INSERT INTO pet_codes (kind, code, pet_id) VALUES ('sku', 'S', 2)"));
  await assert.rejects(database.run("INSERT INTO pet_codes (kind, code, pet_id) VALUES ('ean', 'T', 2)"));
});

test('verify reports codes that are missing, and codes that no pet has', async (t) => {
  const { pets, store, database } = await codeShop(t);
  await pets.create(newPet(-(2n ** 63n), { sku: 'least', barcodes: [UPC] }), AUTHOR);
  for (let i = 1n; i < 5n; i += 1n) await pets.create(newPet(i, { sku: `S${i}` }), AUTHOR);
  const faults = async () => (await store.verify()).faults;
  assert.deepEqual(await faults(), []);
  await database.run("DELETE FROM pet_codes WHERE code = 'S1'");
  await database.run("UPDATE pet_codes SET pet_id = 3 WHERE code = 'S2'");
  await database.run("INSERT INTO pet_codes (kind, code, pet_id) VALUES ('sku', 'ghost', 5000)");
  assert.deepEqual(await faults(), [
    'The index of codes lacks 2 codes of pets.',
    'The index of codes gives the sku "S2" to pet 3, which does not have it.',
    'The index of codes gives the sku "ghost" to pet 5000, which does not have it.',
  ]);
});

test('an import, a prune and an archive leave codes as they are', async (t) => {
  const { pets, store, assertIntact } = await codeShop(t);
  await pets.create(newPet(1n, { sku: 'S', barcodes: [EAN] }), AUTHOR);
  await store.importPets([petRow(1, { name: 'Rex', quantity: 5 }), petRow(2)], 'cli');
  await store.importPets([petRow(1, { quantity: 0 })], 'cli');
  await pets.archive(1n, AUTHOR);
  await store.importPets([petRow(1, { quantity: 1 })], 'cli');
  await store.pruneMovements((await store.now()) + 1, AUTHOR);
  const { sku, barcodes, archivedAtMs } = await pets.find(1n);
  assert.deepEqual({ sku, barcodes, archivedAtMs }, { sku: 'S', barcodes: [EAN], archivedAtMs: null });
  await assertIntact();
});

/** As many codes as PostgreSQL reads by an index. */
const CODES = 20_000;

test('a code is found by one entry of the index of codes', async (t) => {
  const { database } = await codeShop(t);
  const isSqlite = database.url.startsWith('sqlite:');
  const numbers = isSqlite
    ? `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CODES}) SELECT i FROM n`
    : `SELECT i FROM generate_series(1, ${CODES}) AS n (i)`;
  await database.run(`INSERT INTO pets (pet_id) SELECT i FROM (${numbers}) AS numbers`);
  await database.run(`INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at)
SELECT pet_id, 0, 'available', 1, 1, 1, 0, 1 FROM pets`);
  await database.run(
    "INSERT INTO pet_codes (kind, code, pet_id) SELECT 'sku', 'S' || pet_id, pet_id FROM pets",
  );
  for (const statement of ['ANALYZE', '']) {
    for (const [sql, isBulk] of [
      [CODE_OWNER, false],
      [READ_PETS.petWithCode, false],
      [owners({ jsonElements: isSqlite ? 'json_each' : 'jsonb_array_elements' }), true],
    ] as const) {
      const given = isBulk
        ? sql.replace('$1', `'[["sku","S77"]]'`)
        : sql.replace('$1', "'sku'").replace('$2', "'S77'");
      const plan = (await database.rows(`EXPLAIN ${isSqlite ? 'QUERY PLAN ' : ''}${given}`)).join('\n');
      if (isSqlite) assert.match(plan, /SEARCH pet_codes USING PRIMARY KEY \(kind=\? AND code=\?\)/);
      if (isSqlite) assert.doesNotMatch(plan, /SCAN (?:pet_codes|pets|inventory)/);
      else if (!isBulk) assert.match(plan, /Index (?:Only )?Scan using pet_codes_pkey/);
      if (!isSqlite && !isBulk) assert.doesNotMatch(plan, /Seq Scan/);
    }
    if (statement) await database.run(statement);
  }
});
