import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAdminKey } from '../../blackbox/operator.ts';
import type { Service } from '../../blackbox/service.ts';
import { killRounds, ROUNDS, sendUntilCut } from './kill-rounds.ts';

const CLIENTS = 3;
const PETS_PER_CLIENT = 4;
const STOCK = 1_000;
const PATH = '/admin/v1/stocktakes';

interface Take {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly posting: string;
}

interface Line {
  readonly petId: number;
  readonly counted: number;
  readonly variance: number;
  readonly posted: number;
  readonly counts: number;
}

/** Counts pets of its own for one stock-take after the other, posts the differences, and takes some of them back. Each third one is cancelled. */
class Counter {
  readonly petIds: readonly number[];
  readonly name: string;
  key = '';
  sent = 0;
  answered = 0;
  /** The newest acknowledged state of each stock-take, by its name. */
  readonly takes = new Map<string, Take>();
  /** Acknowledged counts of each stock-take, by its name and the pet. */
  readonly counted = new Map<string, Map<number, number>>();

  /** Stock-takes whose report was read after their end. */
  readonly #checked = new Set<string>();

  constructor(number: number) {
    this.name = `take-${number}-`;
    this.petIds = Array.from({ length: PETS_PER_CLIENT }, (_, i) => number * 10 + i);
  }

  async countUntilCut(service: Service): Promise<void> {
    for (;;) {
      this.sent += 1;
      const name = `${this.name}${this.sent}`;
      const isMistake = this.sent % 3 === 1;
      const posting = isMistake ? 'at_count' : 'at_close';
      if (!(await this.#takes(service, '', { name, posting }))) return;
      const { id } = this.takes.get(name) as Take;
      const counts = new Map<number, number>();
      this.counted.set(name, counts);
      for (const petId of this.petIds) {
        const count = { petId, counted: countOf(petId, this.sent) };
        if (!(await this.#post(service, `/${id}/counts`, count))) return;
        counts.set(petId, count.counted);
      }
      if (!(await this.#takes(service, `/${id}/${isMistake ? 'cancel' : 'close'}`))) return;
      if (this.sent % 3 === 0 && !(await this.#takes(service, `/${id}/undo`))) return;
    }
  }

  async #takes(service: Service, path: string, body?: object): Promise<boolean> {
    const text = await this.#post(service, path, body);
    if (text === undefined) return false;
    const take = JSON.parse(text) as Take;
    this.takes.set(take.name, take);
    return true;
  }

  async #post(service: Service, path: string, body?: object): Promise<string | undefined> {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const response = await sendUntilCut(service, {
      method: 'POST',
      path: PATH + path,
      key: this.key,
      ...sent,
    });
    if (!response) return undefined;
    assert.ok(response.status < 300, response.body.toString());
    this.answered += 1;
    return response.body.toString();
  }

  async check(service: Service): Promise<void> {
    const all = await readAll<Take>(service, this.key, '/stocktakes?limit=100');
    const stored = all.filter(({ name }) => name.startsWith(this.name)).toReversed();
    assert.equal(new Set(stored.map(({ name }) => name)).size, stored.length, 'no stock-take is there twice');
    assert.ok(stored.length <= this.sent);
    const stock = new Map(this.petIds.map((petId) => [petId, STOCK]));
    for (const take of stored) {
      await this.#checkTake(service, take);
      if (!changesStock(take)) continue;
      const number = Number(take.name.slice(this.name.length));
      // A kill leaves one that runs with some of its counts.
      const counted = take.state === 'closed' ? this.petIds : await this.#countedIn(service, take);
      for (const petId of counted) stock.set(petId, countOf(petId, number));
    }
    for (const [name, { state }] of this.takes) {
      const found = stored.find((take) => take.name === name)?.state;
      assert.ok(
        found !== undefined && LATER[state]?.includes(found),
        `${name} was ${state}, and is ${found}`,
      );
    }
    for (const [petId, quantity] of stock) {
      const pet = await read<{ quantity: number }>(service, this.key, `/inventory/${petId}`);
      assert.equal(pet.quantity, quantity, `pet ${petId}`);
    }
  }

  async #countedIn(service: Service, { id }: Take): Promise<number[]> {
    const lines = await read<Line[]>(service, this.key, `/stocktakes/${id}/report`);
    return lines.map(({ petId }) => petId);
  }

  async #checkTake(service: Service, take: Take): Promise<void> {
    const { id, name, state } = take;
    if (this.#checked.has(name)) return;
    const lines = await read<Line[]>(service, this.key, `/stocktakes/${id}/report`);
    for (const [petId, counted] of this.counted.get(name) ?? []) {
      const line = lines.find((one) => one.petId === petId);
      assert.equal(line?.counted, counted, `the count of pet ${petId} in ${name} is lost`);
    }
    for (const { counts, posted, variance } of lines) {
      assert.equal(counts, 1, 'each count is recorded once');
      assert.equal(posted, changesStock(take) ? variance : 0, `${name} is ${state}`);
    }
    if (state === 'running') return;
    assert.equal(lines.length, PETS_PER_CLIENT);
    this.#checked.add(name);
  }
}

/** The states that a stock-take may have after an acknowledged one. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  running: ['running', 'closed', 'cancelled'],
  closed: ['closed', 'undone'],
  undone: ['undone'],
  cancelled: ['cancelled'],
};

const changesStock = ({ state, posting }: Take): boolean =>
  state === 'closed' || (state === 'running' && posting === 'at_count');

const countOf = (petId: number, number: number) => ((petId * 7 + number * 13) % 500) + 1;

async function read<T>(service: Service, key: string, path: string): Promise<T> {
  return (await readPage<T>(service, key, path)).value;
}

/** All pages of a list. */
async function readAll<T>(service: Service, key: string, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Page<T[]> = await readPage<T[]>(service, key, next);
    found.push(...page.value);
    next = page.next;
  }
  return found;
}

interface Page<T> {
  readonly value: T;
  readonly next: string | undefined;
}

async function readPage<T>(service: Service, key: string, path: string): Promise<Page<T>> {
  const response = await sendUntilCut(service, { path: `/admin/v1${path}`, key });
  assert.ok(response, 'the service responds');
  const text = response.body.toString();
  assert.equal(response.status, 200, text);
  const [, next] = /\/admin\/v1([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return { value: JSON.parse(text) as T, next };
}

test('no acknowledged count, close, undo or cancel of a stock-take is lost to a kill, and none is doubled', async (t) => {
  const counters = Array.from({ length: CLIENTS }, (_, i) => new Counter(i + 1));
  const sum = (of: (counter: Counter) => number) => counters.reduce((total, one) => total + of(one), 0);
  const service = await killRounds(t, {
    pets: counters.flatMap(({ petIds }) =>
      petIds.map((petId) => ({ petId: BigInt(petId), quantity: STOCK })),
    ),
    begin: async (serving) => {
      for (const counter of counters) counter.key = await makeAdminKey(serving, 'administrator');
    },
    done: () => sum(({ answered }) => answered),
    work: (serving) => Promise.all(counters.map((counter) => counter.countUntilCut(serving))),
    check: async (serving) => {
      for (const counter of counters) await counter.check(serving);
    },
  });
  t.diagnostic(`${sum(({ takes }) => takes.size)} stock-takes, ${sum(({ answered }) => answered)} responses`);
  assert.ok(sum(({ answered }) => answered) > ROUNDS * CLIENTS);
  assert.equal(await service.stop(), 0);
});
