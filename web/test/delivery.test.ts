import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/api/api-error.ts';
import type {
  BatchAdjustment,
  BatchChange,
  BatchRevert,
  InventoryBatchResult,
  Reorder,
} from '../src/api/schemas.ts';
import { PartlyUndone } from '../src/components/toast/partly-undone.ts';
import { Delivery } from '../src/pages/reorders/delivery.ts';

interface Pet {
  quantity: number;
  version: number;
  order: { orderedAt: string; received: number; outstanding: number };
}

/** A service with pets of which 4 units each are on their way. It applies each key once. */
function openService(count: number) {
  const pets = new Map<string, Pet>();
  for (let petId = 1; petId <= count; petId += 1)
    pets.set(String(petId), {
      quantity: 0,
      version: 1,
      order: { orderedAt: 'monday', received: 0, outstanding: 4 },
    });
  const petOf = (petId: string) => pets.get(petId) as Pet;
  const rowOf = (petId: string) => ({ petId, ...petOf(petId).order }) as Reorder;
  const answers = new Map<string, InventoryBatchResult>();
  /** Units of each recorded movement. */
  const movements: number[] = [];
  const service = {
    requests: [] as string[],
    /** What happens before the next change is applied. */
    meanwhile: [] as (() => void)[],
    /** The answers of these requests are lost. */
    lost: 0,
    add(petId: string, delta: number, reason = 'received') {
      const pet = petOf(petId);
      pet.quantity += delta;
      pet.version += 1;
      if (reason !== 'received') return;
      pet.order.received += delta;
      pet.order.outstanding -= delta;
    },
    petOf,
    rows: () => [...pets.keys()].map(rowOf),
  };
  const change = (changes: readonly BatchChange[], isDryRun: boolean) => ({
    rows: changes.map((one) => {
      const { petId, ifMatch } = one as BatchAdjustment;
      const delta =
        'revert' in one
          ? -(movements[(one as BatchRevert).revert - 1] as number)
          : (one as BatchAdjustment).delta;
      const pet = petOf(petId);
      const before = { etag: `v${pet.version}` };
      if (ifMatch !== undefined && ifMatch !== before.etag)
        return { petId, before, code: 'precondition_failed', sequence: null };
      if (pet.quantity + delta < 0) return { petId, before, code: 'insufficient_stock', sequence: null };
      if (!isDryRun) service.add(petId, delta);
      return { petId, before, code: 'done', sequence: isDryRun ? null : movements.push(delta) };
    }),
  });
  const calls = {
    preview: async (changes: readonly BatchChange[]) => {
      service.requests.push(`preview ${changes.length}`);
      return change(changes, true) as unknown as InventoryBatchResult;
    },
    readReorders: async (petIds: readonly string[]) => {
      service.requests.push(`read ${petIds.length}`);
      return petIds.map(rowOf);
    },
    apply: async (changes: readonly BatchChange[], key: string) => {
      service.requests.push(`apply ${changes.length} ${key}`);
      service.meanwhile.shift()?.();
      const answer = answers.get(key) ?? (change(changes, false) as unknown as InventoryBatchResult);
      answers.set(key, answer);
      if (service.lost > 0) {
        service.lost -= 1;
        throw new ApiError('offline', '', 0);
      }
      return answer;
    },
    newKey: () => `key-${answers.size + 1}`,
  };
  const delivery = new Delivery(service.rows(), calls, 3);
  const quantities = () => [...pets.values()].map(({ quantity }) => quantity);
  return { service, delivery, quantities };
}

test('a delivery of many pets takes three requests per batch, and is taken back with one', async () => {
  const { service, delivery, quantities } = openService(8);
  const progress: number[] = [];
  assert.deepEqual(await delivery.receive(() => progress.push(delivery.pets)), []);
  assert.deepEqual(progress, [3, 6, 8]);
  assert.deepEqual(
    quantities(),
    Array.from({ length: 8 }, () => 4),
  );
  assert.deepEqual(service.requests.slice(-3), ['preview 2', 'read 2', 'apply 2 key-3']);
  assert.equal(service.requests.length, 9);
  await delivery.undo();
  assert.equal(service.requests.length, 12);
  assert.deepEqual(
    quantities(),
    Array.from({ length: 8 }, () => 0),
  );
  assert.equal(service.petOf('8').order.outstanding, 4, 'it is on its way again');
});

test('a sale between the look and the change costs one more attempt of its pet', async () => {
  const { service, delivery, quantities } = openService(3);
  service.petOf('2').quantity = 5;
  service.meanwhile.push(() => service.add('2', -1, 'sold'));
  assert.deepEqual(await delivery.receive(() => {}), []);
  assert.deepEqual(quantities(), [4, 8, 4]);
  assert.deepEqual(service.requests.slice(3, 6), ['preview 1', 'read 1', 'apply 1 key-2']);
});

test('a pet that is sold without a pause is refused after some attempts', async () => {
  const { service, delivery, quantities } = openService(1);
  service.petOf('1').quantity = 100;
  for (let at = 0; at < 9; at += 1) service.meanwhile.push(() => service.add('1', -1, 'sold'));
  const [refused] = await delivery.receive(() => {});
  assert.equal(refused?.error?.code, 'precondition_failed');
  assert.deepEqual([quantities(), service.requests.length], [[95], 15]);
});

test('what another person receives at the same moment is refused, and the next attempt sends the rest', async () => {
  const { service, delivery, quantities } = openService(3);
  service.meanwhile.push(() => service.add('2', 3));
  const refused = await delivery.receive(() => {});
  assert.deepEqual(
    refused.map(({ row, now }) => [row.petId, now?.outstanding]),
    [['2', 1]],
  );
  assert.deepEqual(quantities(), [4, 3, 4]);
  assert.deepEqual(await delivery.receive(() => {}), []);
  assert.deepEqual(quantities(), [4, 4, 4]);
  assert.equal(service.requests.at(-1), 'apply 1 key-2');
});

test('the units of another order are refused, also if they are as many', async () => {
  const { service, delivery, quantities } = openService(1);
  service.petOf('1').order = { orderedAt: 'tuesday', received: 0, outstanding: 4 };
  assert.equal((await delivery.receive(() => {}))[0]?.now?.orderedAt, 'tuesday');
  assert.deepEqual(quantities(), [0]);
  await delivery.receive(() => {});
  assert.deepEqual(quantities(), [4]);
});

test('a delivery whose answer was lost is sent again under its key, and can be undone', async () => {
  const { service, delivery, quantities } = openService(5);
  service.lost = 1;
  await assert.rejects(
    delivery.receive(() => {}),
    { code: 'offline' },
  );
  assert.equal(delivery.pets, 0);
  assert.deepEqual(await delivery.receive(() => {}), []);
  assert.deepEqual(
    service.requests.filter((sent) => sent.startsWith('apply')),
    ['apply 3 key-1', 'apply 3 key-1', 'apply 2 key-2'],
  );
  assert.deepEqual([quantities(), delivery.pets], [[4, 4, 4, 4, 4], 5]);
  await delivery.undo();
  assert.deepEqual(quantities(), [0, 0, 0, 0, 0]);
});

test('an undo takes back what it can, and says what it cannot', async () => {
  const { service, delivery, quantities } = openService(4);
  await delivery.receive(() => {});
  service.add('2', -1, 'sold');
  await assert.rejects(delivery.undo(), (error) => {
    assert.ok(error instanceof PartlyUndone);
    assert.deepEqual([error.done, error.left, (error.cause as ApiError).code], [3, 1, 'insufficient_stock']);
    return true;
  });
  assert.deepEqual(quantities(), [0, 3, 0, 0]);
});

test('a single pet is received with the units that a person counted', async () => {
  const { service, delivery, quantities } = openService(1);
  service.meanwhile.push(() => service.add('1', 4));
  assert.equal((await delivery.receive(() => {}, 3))[0]?.now?.outstanding, 0);
  assert.deepEqual(await delivery.receive(() => {}, 3), [], 'more than was ordered');
  assert.deepEqual(quantities(), [7]);
});

test('each order that has changed is refused until the person has seen it', async () => {
  const { service, delivery, quantities } = openService(5);
  for (const petId of ['1', '2', '4'])
    service.petOf(petId).order = { orderedAt: 'tuesday', received: 0, outstanding: 9 };
  service.petOf('3').order.outstanding = 0;
  service.lost = 1;
  await assert.rejects(
    delivery.receive(() => {}),
    { code: 'offline' },
  );
  // The person was not told of the first ones, because the answer for the others was lost.
  const named = [];
  for (let refused = await delivery.receive(() => {}); refused[0]; refused = await delivery.receive(() => {}))
    named.push(refused[0].row.petId);
  assert.deepEqual(named, ['1', '2', '4']);
  assert.deepEqual(quantities(), [9, 9, 0, 9, 4]);
});

test('a pet that cannot be received hides no order that has changed', async () => {
  const { service, delivery, quantities } = openService(2);
  service.petOf('1').quantity = -9;
  service.petOf('2').order.orderedAt = 'tuesday';
  const named = async () => (await delivery.receive(() => {})).map(({ row }) => row.petId);
  assert.deepEqual([await named(), await named()], [['2', '1'], ['1']]);
  assert.deepEqual(quantities(), [-9, 4]);
});

test('units that a person corrects after a lost answer are not sent as before', async () => {
  for (const isApplied of [true, false]) {
    const { service, delivery, quantities } = openService(1);
    service.lost = 1;
    if (!isApplied) service.meanwhile.push(() => service.add('1', -0, 'sold'));
    await assert.rejects(
      delivery.receive(() => {}, 4),
      { code: 'offline' },
    );
    const [refused] = await delivery.receive(() => {}, 3);
    assert.deepEqual([refused?.now?.outstanding, quantities()], isApplied ? [0, [4]] : [undefined, [3]]);
    if (!isApplied) assert.equal(delivery.pets, 1);
  }
});
