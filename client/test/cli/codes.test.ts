import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../../server/src/domain/management/activity.ts';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { petstoreOf } from './support/petstore.ts';

const EAN = '4006381333931';
const UPC = '036000291452';
/** Eight digits with a right check digit, and the petId of a pet. */
const BOTH = 96385074n;

async function codeShop(t: TestContext) {
  const pets = [petRow(7n, 50), petRow(8n, 50), petRow(BOTH, 50), petRow(96385075n, 50), petRow(4711n, 50)];
  const app = await startApp(t, { pets });
  await app.admin.pets.update(7n, { name: 'Rex', sku: 'DOG-1', barcodes: [EAN, `0${UPC}`] }, CLI_AUTHOR);
  await app.admin.pets.update(8n, { name: 'Max', sku: '4711', barcodes: ['+49 box'] }, CLI_AUTHOR);
  const quantity = async (petId: bigint) => (await app.admin.pets.find(petId)).quantity;
  return { app, petstore: petstoreOf(t, app), quantity };
}

test('sells by a barcode in each length, an SKU, another code and a petId', async (t) => {
  const { petstore, quantity } = await codeShop(t);
  assert.match(await petstore.text(`sell ${EAN} 2`), /^Pet 7: -2, 50 -> 48 \(movement \d+\)\.\n$/);
  const movement = await petstore.json<{ petId: bigint; reason: string }>(`sell ${UPC}`);
  assert.deepEqual([movement.petId, movement.reason], [7n, 'sold']);
  await petstore.text('sell DOG-1 3');
  await petstore.text(`sell barcode:00${UPC} 4`);
  await petstore.text('sell sku:DOG-1 --reference receipt-1');
  assert.equal(await quantity(7n), 50 - 2 - 1 - 3 - 4 - 1);
  assert.equal((await petstore.run(['sell', '+49 box'])).code, 0);
  await petstore.text('sell id:4711 5');
  await petstore.text('sell sku:4711 6');
  assert.deepEqual([await quantity(4711n), await quantity(8n)], [45, 43]);
});

test('never sells where a number may mean two pets', async (t) => {
  const { petstore, quantity, app } = await codeShop(t);
  assert.equal((await petstore.run(`sell ${BOTH} 1`)).code, 0, 'only a petId');
  assert.equal((await petstore.run('sell 96385075 1')).code, 0, 'no code has this check digit');
  await app.admin.pets.update(7n, { barcodes: [String(BOTH)] }, CLI_AUTHOR);
  const before = [await quantity(7n), await quantity(BOTH)];
  const refused = await petstore.run(`sell ${BOTH} 1`);
  assert.equal(refused.code, EXIT.wrongUsage);
  assert.equal(
    refused.stderr,
    `error: ${BOTH} is the barcode of pet 7 (Rex) and the petId of pet ${BOTH} (Pet ${BOTH}). Write id:, sku: or barcode: before it. Nothing was done.\n`,
  );
  assert.deepEqual([await quantity(7n), await quantity(BOTH)], before);
  const ofSku = await petstore.run('sell 4711 1');
  assert.equal(ofSku.code, EXIT.wrongUsage);
  assert.match(ofSku.stderr, /4711 is the SKU of pet 8 \(Max\) and the petId of pet 4711/);
  assert.deepEqual([await quantity(4711n), await quantity(8n)], [50, 50]);
  await petstore.text(`sell id:${BOTH}`);
  await petstore.text(`sell barcode:${BOTH} 2`);
  assert.deepEqual([await quantity(7n), await quantity(BOTH)], [48, 48]);
  await app.admin.pets.update(8n, { sku: 'same' }, CLI_AUTHOR);
  await app.admin.pets.update(7n, { barcodes: ['same'] }, CLI_AUTHOR);
  const two = await petstore.run('sell same 1');
  assert.match(two.stderr, /same is the barcode of pet 7 \(Rex\) and the SKU of pet 8 \(Max\)\./);
});

test('a key that may not read takes a number for a petId', async (t) => {
  const { app, quantity } = await codeShop(t);
  const { key } = await app.makeKey({ scopes: ['inventory:adjust'] });
  const petstore = petstoreOf(t, { ...app, key });
  await petstore.text('sell 7 2');
  assert.equal(await quantity(7n), 48);
  const { stderr } = await petstore.run('sell DOG-1 1');
  assert.match(stderr, /inventory:read/);
});

test('a code of no pet is not there, and a wrong check digit is named', async (t) => {
  const { petstore, app } = await codeShop(t);
  await app.admin.pets.update(8n, { name: 'nothing dog-1' }, CLI_AUTHOR);
  for (const [line, message] of [
    ['sell nothing', /No pet has the code nothing\./],
    ['get dog-1', /No pet has the code dog-1\./],
    ['get barcode:nothing', /No pet has the code nothing\./],
    ['sell 4006381333932', /There is no pet with petId 4006381333932\./],
    ['find nowhere', /No pets match\./],
  ] as const) {
    const { code, stderr } = await petstore.run(line);
    assert.equal(code, EXIT.notFound, line);
    assert.match(stderr, message);
  }
});

test('every command with a pet takes a code', async (t) => {
  const { petstore, quantity } = await codeShop(t);
  assert.match(await petstore.text(`get ${EAN}`), /^Pet 7, Rex: 50 on hand/);
  await petstore.text(`set ${EAN} 40`);
  await petstore.text('adjust DOG-1 1 --reason received');
  assert.equal(await quantity(7n), 41);
  const history = await petstore.list<{ petId: bigint }>(`history ${UPC} --limit 2`);
  assert.deepEqual(
    history.map(({ petId }) => petId),
    [7n, 7n],
  );
  const { orderId } = await petstore.json<{ orderId: number }>(`orders place ${EAN}=2 8=1`);
  assert.equal((await petstore.list(`orders list --pet DOG-1`)).length, 1);
  await petstore.text(`orders approve ${orderId}`);
  const { lines } = await petstore.json<{ lines: { petId: bigint; delivered: number }[] }>(
    `orders deliver ${orderId} DOG-1=1`,
  );
  assert.deepEqual(
    lines.map(({ petId, delivered }) => [petId, delivered]),
    [
      [7n, 1],
      [8n, 0],
    ],
  );
});

test('finds pets by a code first, and by words', async (t) => {
  const { petstore, app } = await codeShop(t);
  await app.admin.pets.update(8n, { name: 'DOG 1 Max' }, CLI_AUTHOR);
  const ids = async (line: string) =>
    (await petstore.list<{ petId: bigint }>(line)).map(({ petId }) => petId);
  assert.deepEqual(await ids(`find ${UPC}`), [7n]);
  assert.deepEqual(await ids('find DOG-1'), [7n, 8n]);
  assert.deepEqual(await ids('find DOG-1 --limit 1'), [7n]);
  assert.deepEqual(await ids('find max dog'), [8n]);
  const lines = (await petstore.text('find DOG-1')).split('\n');
  assert.match(lines[0] ?? '', /PET +NAME +SKU +BARCODES +QUANTITY +AVAILABLE +STATUS/);
  assert.match(lines[1] ?? '', /7 +Rex +DOG-1 +4006381333931 0036000291452 +50 +50 +available/);
});
