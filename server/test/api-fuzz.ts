import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { type Credential, type FuzzRequest, fuzzRequests, type Surroundings } from './api-fuzz-requests.ts';
import { type Answer, type Sending, startApp, type TestApp } from './harness.ts';
import { DOCUMENT, methodsAt, operationsIn } from './openapi-document.ts';
import { listJson, petRow, petRows } from './pet-rows.ts';

const LONGEST_SEQUENCE = 20;
/** Sequences are longer than this on average. */
const USUAL_SEQUENCE = 9;
const PETS = [
  ...petRows(24),
  ...[0n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)].map((petId) =>
    petRow(petId),
  ),
];
/** What these requests cannot bring about: a sunset passed, a limit reached, a service in trouble. */
const OUT_OF_REACH = ['408', '410', '429', '431', '500', '503'];

type Authorizations = Readonly<Record<Credential, string | null>>;

export interface FuzzOptions {
  readonly cases: number;
  /** The same seed makes the same requests. */
  readonly seed: number;
}

/** Sends sequences of requests, sound and not, to one service, and judges each answer by the document. */
export async function fuzzApi(t: Pick<TestContext, 'after' | 'diagnostic'>, { cases, seed }: FuzzOptions) {
  const app = await startApp(t, { pets: PETS, config: { PETSTORE_ADDRESS_LIMIT: '1000000000' } });
  const service = new FuzzedService(app, await authorizationsOf(app));
  const requests = fuzzRequests(await surroundingsOf(app));
  const sequences = fc.array(requests, { minLength: 1, maxLength: LONGEST_SEQUENCE, size: 'max' });
  const property = fc.asyncProperty(sequences, async (sequence) => {
    await service.start();
    for (const request of sequence) await service.judge(request);
  });
  await fc.assert(property, { seed, numRuns: Math.ceil(cases / USUAL_SEQUENCE) });
  t.diagnostic(`seed ${seed}: ${service.tally}`);
  assert.ok(service.tally.cases >= cases, `only ${service.tally.cases} cases`);
  service.tally.assertLively();
}

async function surroundingsOf({ request }: TestApp): Promise<Surroundings> {
  const cursors: Surroundings['cursors'][number][] = [];
  for (let next: string | undefined = '/v1/inventory?limit=1'; next; ) {
    const { headers }: Answer = await request('GET', next);
    const text: string | undefined = /cursor=([^>&]+)/.exec(headers.get('Link') ?? '')?.[1];
    if (text !== undefined) cursors.push({ text, before: cursors.length + 1 });
    next = text && `/v1/inventory?limit=1&cursor=${text}`;
  }
  return { petIds: PETS.map(({ petId }) => petId), cursors };
}

async function authorizationsOf({ key, makeKey }: TestApp): Promise<Authorizations> {
  const scopeless = await makeKey({ scopes: [] });
  return {
    own: `Bearer ${key}`,
    scopeless: `Bearer ${scopeless.key}`,
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

  assertLively(): void {
    const wanted = operationsIn(DOCUMENT).flatMap(({ operation: { operationId, responses } }) =>
      Object.keys(responses)
        .filter((status) => !OUT_OF_REACH.includes(status))
        .map((status) => `${operationId} ${status}`),
    );
    for (const name of [...wanted, 'none 204', 'none 400', 'none 401', 'none 404', 'none 405']) {
      assert.ok(this.#counts.has(name), `no request came to ${name}`);
    }
  }

  toString(): string {
    const counts = [...this.#counts].toSorted().map(([name, count]) => `${name}: ${count}`);
    return `${this.cases} cases; ${counts.join(', ')}`;
  }
}

/** The service, with what a client that has seen all answers knows of its list. */
class FuzzedService {
  readonly tally = new Tally();
  readonly #app: TestApp;
  readonly #authorizations: Authorizations;
  readonly #pets = new Map(PETS.map((pet) => [pet.petId, { ...pet }]));
  #etag = '';

  constructor(app: TestApp, authorizations: Authorizations) {
    this.#app = app;
    this.#authorizations = authorizations;
  }

  /** Takes the list as it is, so that what a failed sequence left behind does not fail the shorter ones. */
  async start(): Promise<void> {
    const { json } = await this.#app.request('GET', '/v1/inventory');
    for (const { petId, quantity } of json as { petId: number | bigint; quantity: number }[]) {
      const pet = this.#pets.get(BigInt(petId));
      if (pet) pet.quantity = quantity;
    }
    await this.lookAgain();
  }

  /** Reads the list, which is as all accepted changes left it, and remembers its tag. */
  async lookAgain(): Promise<void> {
    const { status, text, headers } = await this.#app.request('GET', '/v1/inventory');
    this.#etag = headers.get('ETag') ?? '';
    assert.deepEqual([status, text], [200, this.#listJson()]);
  }

  async judge(request: FuzzRequest): Promise<void> {
    let answer: Answer | undefined;
    try {
      answer = await this.#send(request);
      this.tally.count(request.operationId, answer.status);
      this.#assertStatus(request, answer);
      if (request.method === 'GET' || request.method === 'HEAD') this.#assertRead(request, answer);
      else await this.#assertChange(request, answer);
    } catch (cause) {
      throw new Error(`${shown(request)} -> ${answer?.status} ${answer?.text}`, { cause });
    }
  }

  #send({ method, target, credential, headers, body, isStreamed }: FuzzRequest): Promise<Answer> {
    const all: Record<string, string> = { ...headers };
    if (all['If-None-Match'] === 'current') all['If-None-Match'] = this.#etag;
    const authorization = this.#authorizations[credential];
    if (authorization !== null) all.Authorization = authorization;
    const sending: Sending = { key: null, headers: all };
    if (!body) return this.#app.request(method, target, sending);
    return this.#app.request(method, target, { ...sending, body: isStreamed ? streamOf(body) : body });
  }

  /** Nothing invalid is accepted, nothing valid is refused, and the earliest fault decides. */
  #assertStatus({ faults, method, target, headers }: FuzzRequest, answer: Answer): void {
    const firstStep = Math.min(...faults.map(({ step }) => step));
    const expected = faults.filter(({ step }) => step === firstStep).map(({ status }) => status);
    if (faults.length === 0) {
      const isKnown = headers['If-None-Match'] === 'current' || headers['If-None-Match'] === '*';
      expected.push(method === 'OPTIONS' ? 204 : isKnown ? 304 : 200);
    }
    assert.ok(expected.includes(answer.status), `expected ${expected.join(' or ')}`);
    if (answer.status !== 405 && answer.status !== 204) return;
    const methods = methodsAt(target).flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
    assert.equal(answer.headers.get('Allow'), [...methods, 'OPTIONS'].join(', '));
  }

  #assertRead({ method, petId, page }: FuzzRequest, { status, text, headers }: Answer): void {
    if (status !== 200 || method === 'HEAD') return;
    if (petId !== undefined) assert.ok(text.startsWith(`{"petId":${petId},`), 'it is the pet asked for');
    if (!page) return;
    const end = page.before + page.limit;
    assert.equal(text, this.#listJson(page.before, end));
    assert.equal(headers.has('Link'), end < PETS.length, 'Link leads to the next page, if there is one');
  }

  /** An accepted change shows in its answer and in the next list; after a refused one the list is what it was. */
  async #assertChange({ petId, body }: FuzzRequest, { status, text }: Answer): Promise<void> {
    const etag = this.#etag;
    const pet = status === 200 ? this.#pets.get(BigInt(petId ?? '')) : undefined;
    const before = pet?.quantity;
    if (pet) {
      const { quantity } = JSON.parse(new TextDecoder().decode(body)) as { quantity: number };
      pet.quantity = quantity;
      assert.equal(`[${text}]`, listJson([pet]));
    }
    await this.lookAgain();
    if (pet?.quantity === before) assert.equal(this.#etag, etag, 'the tag of an unchanged list is the same');
    else assert.notEqual(this.#etag, etag, 'a changed list has another tag');
  }

  #listJson(start = 0, end = PETS.length): string {
    const ordered = [...this.#pets.values()].toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
    return listJson(ordered.slice(start, end));
  }
}

function streamOf(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([body]).stream();
}

function shown({ method, target, headers, body }: FuzzRequest): string {
  const text = body ? new TextDecoder().decode(body) : '';
  const shownBody = text.length > 300 ? `${text.length} characters` : text;
  return `${method} ${target} ${JSON.stringify(headers)} ${shownBody}`;
}
