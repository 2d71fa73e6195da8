import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { errorOf, listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import {
  type Member,
  missingForPatroni,
  type PatroniCluster,
  type Place,
  startPatroni,
} from '../support/patroni.ts';

/* The shipped cluster of deploy/patroni: three servers, two instances that name all of them, faults under load. */

const PETS = [1, 2, 3, 4];
const WRITES_RETURN_MS = 120_000;
const ROUNDS = Number(process.env.PATRONI_ROUNDS ?? '1');
const missing = await missingForPatroni();
const skip = missing ?? false;

/** Clients that each set the stock of their own pet to growing values, and read it back. */
class Load {
  readonly acknowledged = new Map<number, number[]>(PETS.map((petId) => [petId, []]));
  readonly counts = new Map<number, number>();
  /** Reads that were older than a change which was acknowledged before. */
  readonly stale: string[] = [];
  /** The last reason of each instance for a 503, by its port. */
  readonly #refusals = new Map<number, string>();
  /** When the last change that was acknowledged was sent. */
  lastSentMs = 0;
  /** The longest time without an acknowledged change, since it was set to 0. */
  longestGapMs = 0;
  #acknowledgedMs = performance.now();
  #value = 0;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(instances: readonly Service[]) {
    this.#ended = Promise.all(PETS.map((petId) => this.#write(petId, instances)));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** Waits for an acknowledged change that was sent after a time. */
  async untilWritten(fromMs: number): Promise<void> {
    while (this.lastSentMs < fromMs) {
      const isInTime = performance.now() - fromMs < WRITES_RETURN_MS;
      assert.ok(isInTime, `writes return: ${JSON.stringify([...this.#refusals])}`);
      await delay(20);
    }
  }

  get total(): number {
    return [...this.acknowledged.values()].reduce((sum, values) => sum + values.length, 0);
  }

  async #write(petId: number, instances: readonly Service[]): Promise<void> {
    const own = this.acknowledged.get(petId) as number[];
    for (let turn = petId; !this.#stopping.signal.aborted; turn += 1) {
      const [one, other] = [instances[turn % 2], instances[(turn + 1) % 2]] as [Service, Service];
      this.#value += 1;
      const value = this.#value;
      const sentMs = performance.now();
      const written = await setQuantity(one, petId, value);
      const { status } = written;
      this.#count(status);
      if (status === 503) this.#refusals.set(one.port, errorOf(written).message);
      if (status === 200) {
        own.push(value);
        this.lastSentMs = Math.max(this.lastSentMs, sentMs);
        const nowMs = performance.now();
        this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.#acknowledgedMs);
        this.#acknowledgedMs = nowMs;
      }
      const read = await request(other, { path: `/v1/inventory/${petId}`, key: other.key });
      this.#count(read.status);
      if (read.status !== 200) continue;
      const { quantity } = JSON.parse(read.body.toString()) as { quantity: number };
      const least = own.at(-1) ?? 0;
      if (quantity < least) this.stale.push(`pet ${petId}: ${quantity} after ${least}`);
    }
  }

  #count(status: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
  }
}

async function startInstances(t: TestContext, cluster: PatroniCluster): Promise<readonly [Service, Service]> {
  const env = { PETSTORE_DATABASE: cluster.url, PETSTORE_PEPPER: 'p'.repeat(64) };
  const one = await startService(t, {
    env,
    pets: PETS.map((petId) => ({ petId: BigInt(petId), quantity: 0 })),
  });
  return [one, await startService(t, { env, key: one.key })];
}

/** Asserts that the ledger has every acknowledged change, once, in its order, and that no read was old. */
async function assertNothingLost(
  cluster: PatroniCluster,
  [one, other]: readonly [Service, Service],
  load: Load,
): Promise<void> {
  const rows = await cluster.query(
    await cluster.primary(),
    'SELECT pet_id::integer AS pet, quantity_after::integer AS value FROM movements ORDER BY sequence',
    'petstore',
  );
  for (const [petId, values] of load.acknowledged) {
    const stored = rows.filter(({ pet }) => pet === petId).map(({ value }) => Number(value));
    assert.deepEqual(
      stored,
      stored.toSorted((a, b) => a - b),
      'in the order in which they were sent',
    );
    const lost = values.filter((value) => !stored.includes(value));
    assert.deepEqual(lost, [], `pet ${petId} has lost nothing`);
  }
  assert.deepEqual(load.stale, []);
  assert.ok(
    [...load.counts.keys()].every((status) => status === 200 || status === 503),
    JSON.stringify([...load.counts]),
  );
  assert.deepEqual((await one.cli('verify')).faults, []);
  assert.deepEqual(await listedQuantities(one), await listedQuantities(other));
  assert.ok(one.isAlive() && other.isAlive());
}

interface Fault {
  readonly name: string;
  readonly begin: (cluster: PatroniCluster, primary: Member) => Promise<void>;
  readonly end: (primary: Member, cluster: PatroniCluster) => Promise<void> | void;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'the machine of the primary is killed',
    begin: (_, primary) => primary.kill9(),
    end: (primary) => primary.start(),
  },
  {
    name: 'the primary hangs',
    begin: async (_, primary) => primary.suspend(),
    end: (primary) => primary.resume(),
  },
  {
    name: 'a switchover',
    begin: async (cluster, primary) => primary.switchover((await cluster.synchronous())[0] as Member),
    end: () => undefined,
  },
];

async function inject(
  t: TestContext,
  cluster: PatroniCluster,
  load: Load,
  { name, begin, end }: Fault,
): Promise<void> {
  await cluster.untilComplete();
  await load.untilWritten(performance.now());
  const primary = await cluster.primary();
  load.longestGapMs = 0;
  await begin(cluster, primary);
  await load.untilWritten(performance.now()).catch(async (error: unknown) => {
    t.diagnostic(`${name}: ${(await cluster.states()).join('\n')}`);
    throw error;
  });
  const withoutMs = Math.round(load.longestGapMs);
  const next = await cluster.primary();
  assert.notEqual(next.name, primary.name, name);
  await end(primary, cluster);
  const rejoinFromMs = performance.now();
  await cluster.untilComplete();
  t.diagnostic(
    `${name}: no change was acknowledged for ${withoutMs} ms; ${primary.name} was a standby again ${Math.round(performance.now() - rejoinFromMs)} ms after its return`,
  );
}

test(
  'failovers of the shipped Patroni cluster lose no acknowledged change, and no read is old',
  { skip },
  async (t) => {
    const cluster = await startPatroni(t);
    const instances = await startInstances(t, cluster);
    const load = new Load(instances);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const fault of FAULTS) await inject(t, cluster, load, fault);
    }
    await load.stop();
    t.diagnostic(`${load.total} acknowledged; responses ${JSON.stringify([...load.counts])}`);
    await assertNothingLost(cluster, instances, load);
  },
);

const NETWORK = '10.213.77';

function ip(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', words, { encoding: 'utf8' });
  assert.equal(status, 0, `ip ${words.join(' ')}: ${stderr}`);
}

function mayMakeNamespaces(): boolean {
  if (process.getuid?.() !== 0) return false;
  const made = spawnSync('ip', ['netns', 'add', 'petstore-may']).status === 0;
  if (made) ip('netns', 'delete', 'petstore-may');
  return made;
}

/** A bridge, and a namespace with an address on it for each member and for etcd. */
function makeNetwork(t: TestContext): readonly Place[] {
  const bridge = `ps${process.pid}`;
  t.after(() => spawnSync('ip', ['link', 'delete', bridge]));
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${NETWORK}.254/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  return [1, 2, 3, 4].map((host) => {
    const name = `${bridge}n${host}`;
    const [outside, inside] = [`${bridge}o${host}`, `${bridge}i${host}`];
    t.after(() => spawnSync('ip', ['netns', 'delete', name]));
    ip('netns', 'add', name);
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside);
    ip('link', 'set', outside, 'master', bridge, 'up');
    ip('link', 'set', inside, 'netns', name);
    ip('-n', name, 'address', 'add', `${NETWORK}.${host}/24`, 'dev', inside);
    ip('-n', name, 'link', 'set', inside, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    return { address: `${NETWORK}.${host}`, prefix: ['ip', 'netns', 'exec', name] };
  });
}

const skipSplit =
  missing ?? (mayMakeNamespaces() ? false : 'NOT RUN: this user may not make network namespaces (ip netns)');

test(
  'a primary that is cut off from the others, but not from the instances, loses nothing and is left',
  { skip: skipSplit },
  async (t) => {
    const places = makeNetwork(t);
    const cluster = await startPatroni(t, places);
    const instances = await startInstances(t, cluster);
    const load = new Load(instances);
    const routes = (primary: Member, action: 'add' | 'delete') => {
      const namespace = places.find(({ address }) => address === primary.address)?.prefix.at(-1) as string;
      for (const { address } of places) {
        if (address !== primary.address) ip('-n', namespace, 'route', action, 'blackhole', `${address}/32`);
      }
    };
    await inject(t, cluster, load, {
      name: 'a split network',
      begin: async (_, primary) => routes(primary, 'add'),
      end: (primary) => routes(primary, 'delete'),
    });
    await load.stop();
    t.diagnostic(`${load.total} acknowledged; responses ${JSON.stringify([...load.counts])}`);
    await assertNothingLost(cluster, instances, load);
  },
);
