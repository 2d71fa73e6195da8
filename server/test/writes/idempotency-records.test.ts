import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { adjust } from '../support/stock-requests.ts';
import { until } from '../support/until.ts';

const under = (key: string) => ({ 'Idempotency-Key': key });

test('a damaged record causes 503 for its own request only, and nothing is applied', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  await adjust(app, 7, { delta: 1 }, under('aaaaaaaa'));
  await app.database.run("UPDATE idempotency_records SET result = '{'");
  await adjust(app, 7, { delta: 1 }, under('bbbbbbbb'));
  const [damaged, repeated, first, plain] = await Promise.all([
    adjust(app, 7, { delta: 1 }, under('aaaaaaaa')),
    adjust(app, 7, { delta: 1 }, under('bbbbbbbb')),
    adjust(app, 7, { delta: 1 }, under('cccccccc')),
    adjust(app, 7, { delta: 1 }),
  ]);
  assert.equal(damaged.status, 503);
  assert.equal((damaged.json as { code: string }).code, 'service_unavailable');
  assert.deepEqual([repeated.status, first.status, plain.status], [201, 201, 201]);
  const [[quantity] = []] = await app.database.rows('SELECT quantity FROM inventory');
  assert.equal(quantity, 14);
});

test('old answers go although others have a time in the future', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 10)] });
  const rows = Array.from({ length: 60 }, (_, i) => {
    const [name, atMs] = i < 20 ? ['ahead', app.clock.nowMs + 3_600_000] : ['old', 0];
    return `('${name} ${i}', '', '{}', ${atMs})`;
  });
  await app.database.run(
    `INSERT INTO idempotency_records (scope, fingerprint, result, created_at) VALUES ${rows.join()}`,
  );
  let changes = 0;
  await until(async () => {
    changes += 1;
    await adjust(app, 7, { delta: 1 }, under(`key-number-${changes}`));
    const [[old, ahead] = []] = await app.database.rows(
      "SELECT sum(CASE WHEN scope LIKE 'old %' THEN 1 ELSE 0 END), sum(CASE WHEN scope LIKE 'ahead %' THEN 1 ELSE 0 END) FROM idempotency_records",
    );
    assert.equal(Number(ahead), 20);
    return Number(old) === 0;
  }, 'the end of the old answers');
});
