import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { DOCUMENT } from '../support/openapi-document.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { Progress } from '../support/progress.ts';
import { FUZZED_OPERATIONS, fuzzRequests, type Surroundings } from './requests.ts';
import { type Authorizations, FuzzedService } from './service.ts';

const MAX_SEQUENCE = 20;
/** From so many cases on each documented answer must have been met. */
const CASES_FOR_ALL = 10_000;
/** Sequences are longer than this on average. */
const USUAL_SEQUENCE = 9;
const PETS = [
  ...petRows(24),
  ...[0n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)].map((petId) =>
    petRow(petId),
  ),
];
/** Answers that these requests cannot cause: a passed sunset, a reached limit, a failing service. */
const OUT_OF_REACH = ['408', '410', '429', '431', '500', '503'];

export interface FuzzOptions {
  readonly cases: number;
  /** The same seed makes the same requests. */
  readonly seed: number;
}

/** Sends sequences of requests, sound and not, to one service, and judges each answer by the document. */
export async function fuzzApi(t: Pick<TestContext, 'after' | 'diagnostic'>, { cases, seed }: FuzzOptions) {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_ADDRESS_LIMIT: '1000000000' } });
  const surroundings = await surroundingsOf(app);
  const tally = new Tally();
  const count = (operationId: string, status: number) => tally.count(operationId, status);
  const scopeless = await app.makeKey({ scopes: [] });
  const authorizations = authorizationsOf(app.key, scopeless.key);
  const service = new FuzzedService(app, authorizations, surroundings, count);
  const requests = fuzzRequests(surroundings);
  const sequences = fc.array(requests, { minLength: 1, maxLength: MAX_SEQUENCE, size: 'max' });
  const progress = new Progress('sequences', Math.ceil(cases / USUAL_SEQUENCE));
  const property = fc.asyncProperty(sequences, async (sequence) => {
    await service.start();
    for (const request of sequence) await service.judge(request);
    service.end();
    progress.step();
  });
  await fc.assert(property, { seed, numRuns: Math.ceil(cases / USUAL_SEQUENCE) });
  t.diagnostic(`seed ${seed}: ${tally}`);
  assert.ok(tally.cases >= cases, `only ${tally.cases} cases`);
  tally.assertLively();
}

async function surroundingsOf({ request }: TestApp): Promise<Surroundings> {
  const cursors: Surroundings['cursors'][number][] = [];
  for (let next: string | undefined = '/v1/inventory?limit=1'; next;) {
    const { headers }: Answer = await request('GET', next);
    const text: string | undefined = /cursor=([^>&]+)/.exec(headers.get('Link') ?? '')?.[1];
    if (text !== undefined) cursors.push({ text, before: cursors.length + 1 });
    next = text && `/v1/inventory?limit=1&cursor=${text}`;
  }
  return { document: DOCUMENT, petIds: PETS.map(({ petId }) => petId), cursors };
}

/** @param key Allows everything. @param scopeless Allows less. */
export function authorizationsOf(key: string, scopeless: string): Authorizations {
  return {
    own: `Bearer ${key}`,
    scopeless: `Bearer ${scopeless}`,
    two: `Bearer ${key}, Bearer ${key}`,
    none: null,
    empty: 'Bearer',
    basic: 'Basic cGV0OnNob3A=',
    'other scheme': `Token ${key}`,
    'wrong checksum': `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    'two words': `Bearer ${key} ${key}`,
  };
}

/** How often each operation answered with each status: a run in which nothing happened would prove nothing. */
class Tally {
  cases = 0;
  readonly #counts = new Map<string, number>();

  count(operationId: string, status: number): void {
    this.cases += 1;
    const name = `${operationId} ${status}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Each operation answered with each status that it has; in a short run each status and each operation came once. */
  assertLively(): void {
    const places = FUZZED_OPERATIONS.flatMap(({ operation: { operationId, responses } }) =>
      Object.keys(responses)
        .filter((status) => !OUT_OF_REACH.includes(status))
        .map((status) => ({ operationId, status, name: `${operationId} ${status}` })),
    );
    const isShort = this.cases < CASES_FOR_ALL;
    for (const { name, operationId, status } of places) {
      const isMet = isShort
        ? this.#has((one) => one.startsWith(`${operationId} 2`)) &&
          this.#has((one) => one.endsWith(` ${status}`))
        : this.#counts.has(name);
      assert.ok(isMet, `no request came to ${name}`);
    }
    for (const name of ['none 204', 'none 400', 'none 401', 'none 404', 'none 405']) {
      assert.ok(this.#counts.has(name), `no request came to ${name}`);
    }
  }

  #has(isWanted: (name: string) => boolean): boolean {
    return [...this.#counts.keys()].some(isWanted);
  }

  toString(): string {
    const counts = [...this.#counts].toSorted().map(([name, count]) => `${name}: ${count}`);
    return `${this.cases} cases; ${counts.join(', ')}`;
  }
}
