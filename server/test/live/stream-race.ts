import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request, setQuantity } from '../blackbox/api-request.ts';
import type { ServiceProcess } from '../blackbox/service-process.ts';
import { StreamClient } from '../blackbox/stream-client.ts';
import { SeededRandom } from '../support/limit-clients.ts';

const PAGE = 1_000;
const DEADLINE_MS = 60_000;
/** Errors of a request to an instance that is stopping or stopped. */
const GONE = /ECONNREFUSED|ECONNRESET|socket hang up|closed without an answer|ended inside a response/;

/** Instances behind one key, any of which may be killed and restarted. */
export interface RacedService {
  readonly key: string;
  readonly port: number;
  /** Kills a process without warning, and starts it again. */
  killOne(): Promise<ServiceProcess>;
}

export interface StreamRace {
  readonly petIds: readonly bigint[];
  readonly writers: number;
  readonly readers: number;
  /** Changes to be acknowledged before, and after, a process is killed. */
  readonly changes: number;
}

/**
 * Writers change stock through all instances while readers drop and resume their streams at random and one process is
 * killed. Asserts that each reader received exactly the ledger from its start.
 */
export async function raceStreams(t: TestContext, service: RacedService, race: StreamRace): Promise<void> {
  const seed = Date.now() % 1_000_000;
  const random = new SeededRandom(seed);
  const load = { acknowledged: 0, isOver: false };
  const end: { sequence?: number } = {};
  const clients = Array.from({ length: race.readers }, (_, i) => {
    return new StreamClient(service.key, i % 2 === 0 ? '0' : undefined);
  });
  t.after(() => {
    load.isOver = true;
    end.sequence ??= 0;
    for (const client of clients) client.drop();
  });
  const reading = clients.map((client) => readOn(client, service, random, end));
  const writing = Array.from({ length: race.writers }, (_, i) => writeOn(service, race, i, load));
  await untilAcknowledged(load, race.changes);
  await service.killOne();
  await untilAcknowledged(load, load.acknowledged + race.changes);
  load.isOver = true;
  await Promise.all(writing);
  const ledger = await readLedger(service);
  end.sequence = ledger.length;
  for (const client of clients) client.drop();
  const drops = await Promise.all(reading);
  for (const { movements } of clients) {
    const first = Number(movements[0]?.id ?? ledger.length + 1);
    const received = movements.map(({ id, data }) => `${id} ${data}`);
    const expected = ledger.slice(first - 1).map((row, i) => `${first + i} ${row}`);
    // Compared as a whole first: a difference of long lists is slow to print.
    if (received.join('\n') !== expected.join('\n')) assert.deepEqual(received, expected, `seed ${seed}`);
  }
  const total = drops.reduce((sum, count) => sum + count, 0);
  t.diagnostic(`seed ${seed}: ${ledger.length} movements, ${race.readers} readers, resumed ${total} times`);
  assert.ok(total > race.readers, 'readers resumed');
  const whole = clients.filter((_, i) => i % 2 === 0);
  assert.ok(whole.every(({ movements }) => movements.length === ledger.length));
}

/** Reads until the end is known and reached; returns how often it connected. */
async function readOn(
  client: StreamClient,
  service: RacedService,
  random: SeededRandom,
  end: { readonly sequence?: number },
): Promise<number> {
  const deadline = Date.now() + DEADLINE_MS;
  const isDone = () => end.sequence !== undefined && Number(client.lastEventId) >= end.sequence;
  for (let connected = 0; ; connected += 1) {
    assert.ok(Date.now() < deadline, `a reader came to ${client.lastEventId} only`);
    const status = await client.connect(service.port).catch(() => undefined);
    if (status === undefined) {
      await delay(20);
      continue;
    }
    assert.equal(status, 200);
    const enough = client.movements.length + random.integer(0, 60);
    const isEnough = () => client.movements.length >= enough && end.sequence === undefined;
    await client.until(
      'more events arrive',
      () => !client.isConnected || isEnough() || isDone(),
      DEADLINE_MS,
    );
    client.drop();
    if (isDone()) return connected;
  }
}

async function writeOn(
  service: RacedService,
  { petIds }: StreamRace,
  number: number,
  load: { acknowledged: number; isOver: boolean },
): Promise<void> {
  for (let i = 0; !load.isOver; i += 1) {
    const petId = petIds[(number + i) % petIds.length] as bigint;
    const answer = await setQuantity(service, petId, number * 1_000_000 + i).catch((error: unknown) => {
      assert.match(String(error), GONE);
      return undefined;
    });
    if (answer?.status === 200) load.acknowledged += 1;
    else await delay(20);
  }
}

async function untilAcknowledged(load: { readonly acknowledged: number }, count: number): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (load.acknowledged < count) {
    assert.ok(Date.now() < deadline, `only ${load.acknowledged} changes were acknowledged`);
    await delay(10);
  }
}

/** All rows of the history, each as the text that it is sent as. */
async function readLedger(service: RacedService): Promise<string[]> {
  const rows: string[] = [];
  for (;;) {
    const path = `/v1/movements?order=asc&limit=${PAGE}&after=${rows.length}`;
    const { status, body } = await request(service, { path, key: service.key });
    assert.equal(status, 200, body.toString());
    const page = body.toString().slice(1, -1);
    // A row begins with its sequence, which no text inside of one can look like: quotes in texts are escaped.
    if (page !== '') rows.push(...page.split(/,(?=\{"sequence":)/));
    if (page === '') return rows;
  }
}
