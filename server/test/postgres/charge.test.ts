import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { RateLimitCounters, WINDOW_MS } from '../../src/domain/access/rate-limit.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { connectAdmin } from '../../src/store/postgres/admin/client.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { READ, WRITE } from '../../src/store/postgres/statements.ts';
import { newAdminStore } from '../support/command-line.ts';
import { useEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

const RUNS = 60;
const MAX_RUN = 120;
const ACCOUNTS = ['one', 'two', 'three'] as const;
const MIDNIGHT = Date.UTC(2026, 6, 1);
const { minute: MINUTE, day: DAY } = WINDOW_MS;

type Account = (typeof ACCOUNTS)[number];

/** One statement of a process, or a concurrent change of the operator. */
type Step =
  | {
      readonly kind: 'charge';
      readonly passesMs: number;
      readonly wanted: readonly (readonly [Account, number])[];
    }
  | { readonly kind: 'plan'; readonly account: Account; readonly perMinute: number; readonly perDay: number };

const account = fc.constantFrom(...ACCOUNTS);
const passesMs = fc.oneof(
  { weight: 4, arbitrary: fc.nat(20_000) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, MINUTE, -MINUTE, 2 * MINUTE, DAY, -DAY, 60 * MINUTE, -60 * MINUTE),
  },
  { weight: 1, arbitrary: fc.integer({ min: -3 * DAY, max: 3 * DAY }) },
);
const wanted = fc.uniqueArray(fc.tuple(account, fc.integer({ min: 1, max: 15 })), {
  minLength: 1,
  selector: ([name]) => name,
});
const limit = fc.integer({ min: 1, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('charge' as const), passesMs, wanted }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), account, perMinute: limit, perDay: limit }),
  },
);

/** The expected limits of one account. */
class Model {
  readonly counts = new RateLimitCounters();
  limits = { perMinute: 10, perDay: 30 };

  charge(times: number, nowMs: number): number {
    let admitted = 0;
    for (let i = 0; i < times; i += 1) {
      if (this.counts.charge(this.limits, nowMs) === undefined) admitted += 1;
    }
    return admitted;
  }

  get columns(): Record<string, unknown> {
    const { minute, day } = this.counts;
    return {
      minuteLabel: minute.label,
      minuteUsed: minute.used,
      dayLabel: day.label,
      dayUsed: day.used,
      ...this.limits,
    };
  }
}

async function charging(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  // Statements go over two connections in turn, as those of two processes do.
  const connections = [new Connection(database.url), new Connection(database.url)] as const;
  t.after(() => Promise.all(connections.map((connection) => connection.close())));
  let statements = 0;
  const execute = async (statement: typeof WRITE.charge, values: unknown[]) => {
    statements += 1;
    return connections[statements % 2 === 0 ? 0 : 1].write(statement, values);
  };
  return { store, database, execute };
}

test(`the statement that charges follows the law of the windows, step by step (${RUNS} runs)`, async (t) => {
  const { store, execute } = await charging(t);
  let runs = 0;
  const tally = { steps: 0, admitted: 0, refused: 0, partly: 0 };
  const property = fc.asyncProperty(
    fc.nat(DAY),
    fc.array(step, { maxLength: MAX_RUN, size: 'max' }),
    async (startMs, steps) => {
      runs += 1;
      const prefix = `run-${runs}-`;
      const models = new Map<Account, Model>(ACCOUNTS.map((name) => [name, new Model()]));
      for (const [name, { limits }] of models) {
        const id = prefix + name;
        await store.accounts.create({ id, name: id, plan: 'enterprise', limits, createdAtMs: 0 }, CLI_AUTHOR);
      }
      let nowMs = MIDNIGHT + startMs;
      for (const each of steps) {
        tally.steps += 1;
        if (each.kind === 'plan') {
          const { perMinute, perDay } = each;
          (models.get(each.account) as Model).limits = { perMinute, perDay };
          await store.accounts.update(
            prefix + each.account,
            { plan: 'enterprise', perMinute, perDay },
            CLI_AUTHOR,
          );
          continue;
        }
        nowMs += each.passesMs;
        const names = each.wanted.map(([name]) => prefix + name);
        const rows = await execute(WRITE.charge, [nowMs, names, each.wanted.map(([, times]) => times)]);
        const byAccount = new Map(rows.map((row) => [row.accountId, row]));
        assert.equal(byAccount.size, each.wanted.length);
        for (const [name, times] of each.wanted) {
          const model = models.get(name) as Model;
          const admitted = model.charge(times, nowMs);
          const { sequence, recordedAtMs, accessVersion, ...row } = byAccount.get(prefix + name) ?? {};
          assert.deepEqual(row, { accountId: prefix + name, admitted, nowMs, ...model.columns });
          assert.deepEqual([sequence, recordedAtMs, typeof accessVersion], [0, 0, 'number']);
          tally.admitted += admitted;
          tally.refused += times - admitted;
          if (admitted > 0 && admitted < times) tally.partly += 1;
          const accountId = prefix + name;
          const [standing] = await execute(READ.usage, [nowMs, [accountId]]);
          assert.deepEqual(standing, { accountId, nowMs, ...model.columns });
        }
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: 20_260_701 });
  t.diagnostic(JSON.stringify(tally));
  assert.ok(tally.steps >= 2_000 && tally.admitted >= 2_000 && tally.refused >= 2_000 && tally.partly >= 200);
});

test('a missing account is not charged, and does not affect the others of the batch', async (t) => {
  const { store, execute } = await charging(t);
  const limits = { perMinute: 5, perDay: 5 };
  await store.accounts.create(
    { id: 'one', name: 'one', plan: 'enterprise', limits, createdAtMs: 0 },
    CLI_AUTHOR,
  );
  const rows = await execute(WRITE.charge, [MIDNIGHT, ['none', 'one'], [1, 2]]);
  assert.deepEqual(
    rows.map(({ accountId, admitted }) => [accountId, admitted]),
    [['one', 2]],
  );
});

test('a charge that waits for an account holds none of those after it', async (t) => {
  const { store, database, execute } = await charging(t);
  const limits = { perMinute: 10, perDay: 10 };
  // The later one in the order of ids is the first one of the table, and of the statement.
  for (const id of ['acc_b', 'acc_a'])
    await store.accounts.create({ id, name: id, plan: 'enterprise', limits, createdAtMs: 0 }, CLI_AUTHOR);
  const { client: other } = await connectAdmin(database.url);
  t.after(() => other.end());
  await other.query("BEGIN; SELECT 1 FROM usage WHERE account_id = 'acc_a' FOR UPDATE");
  const charged = execute(WRITE.charge, [MIDNIGHT, ['acc_b', 'acc_a'], [1, 1]]);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await database.rows(waiting)).length === 1, 'the charge waits');
  const free = "SELECT account_id FROM usage WHERE account_id = 'acc_b' FOR UPDATE SKIP LOCKED";
  assert.deepEqual(await database.rows(free), [['acc_b']]);
  await other.query('ROLLBACK');
  assert.equal((await charged).length, 2);
});
