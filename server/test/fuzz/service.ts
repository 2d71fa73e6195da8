import assert from 'node:assert/strict';
import type { ExactJson } from '../support/exact-json.ts';
import type { Answer, Sending, TestApp } from '../support/harness.ts';
import { methodsAt } from '../support/openapi-document.ts';
import { listJson } from '../support/pet-rows.ts';
import { wholeLedger } from '../support/stock-requests.ts';
import { knownMovement } from './known-movement.ts';
import { isNamed } from './model.ts';
import { type KnownOrder, knownOrder, ShopModel } from './order-model.ts';
import { isAhead, isCut, READS } from './reads.ts';
import type { Credential, FuzzRequest, Surroundings } from './requests.ts';
import { type ExpectedWrite, expectedWrite } from './writes.ts';
import { sendUntilAccepted } from './send-again.ts';

/** The header of each credential; `null` sends no header. */
export type Authorizations = Readonly<Record<Credential, string | null>>;

/** A write that was decided under a key, and its answer. */
interface StoredAnswer {
  /** The whole request, except the key. */
  readonly request: string;
  readonly answer: Answer;
}

/** A request with `@3` and `current` replaced by values. */
interface Sent {
  readonly target: string;
  readonly parameter: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: FuzzRequest['query'];
}

/** The service, with the state that a client knows after all answers. */
export class FuzzedService {
  readonly #app: TestApp;
  readonly #authorizations: Authorizations;
  readonly #surroundings: Surroundings;
  readonly #count: (operationId: string, status: number) => void;
  /** The head of the ledger when the tag of the list was read. */
  #headOfTag: number;
  readonly #model: ShopModel;
  readonly #kept = new Map<string, StoredAnswer>();
  #etag = '';
  #isKnown = false;
  /** Part of every key, because the use of keys before a failure is unknown. */
  #round = 0;

  /** @param count called with each operation and its status */
  constructor(
    app: TestApp,
    authorizations: Authorizations,
    surroundings: Surroundings,
    count: (operationId: string, status: number) => void,
  ) {
    this.#count = count;
    this.#headOfTag = surroundings.petIds.length;
    this.#app = app;
    this.#authorizations = authorizations;
    this.#surroundings = surroundings;
    this.#model = new ShopModel(app.principal.key.id);
  }

  /** Reads the current ledger, so that the effects of a failed sequence do not fail the shorter ones. */
  async start(): Promise<void> {
    if (!this.#isKnown) {
      this.#model.reload(
        (await wholeLedger(this.#app)).map((row) => knownMovement(row as unknown as ExactJson)),
      );
      this.#model.reloadOrders(await this.#allOrders());
      this.#kept.clear();
      this.#round += 1;
    }
    this.#isKnown = false;
    await this.lookAgain();
  }

  /** No sequence has failed: the known state is correct. */
  end(): void {
    this.#isKnown = true;
  }

  /** Reads the list, which is as all accepted changes left it, and remembers its tag. */
  async lookAgain(): Promise<void> {
    const { status, text, headers } = await this.#app.request('GET', '/v1/inventory');
    this.#etag = headers.get('ETag') ?? '';
    const items = [...this.#model.items.values()];
    assert.deepEqual([status, text], [200, listJson(items)]);
  }

  async judge(request: FuzzRequest): Promise<void> {
    const sent = this.#placed(request);
    let answer: Answer | undefined;
    try {
      answer = await this.#send(request, sent);
      this.#count(request.operationId, answer.status);
      if (request.faults.length > 0 || request.operationId === 'none') this.#assertRefused(request, answer);
      else if (request.method === 'GET' || request.method === 'HEAD') this.#judgeRead(request, sent, answer);
      else this.#judgeWrite(request, sent, answer);
      if (request.method !== 'GET' && request.method !== 'HEAD') await this.#assertTag();
    } catch (cause) {
      throw new Error(`${shown(request)} -> ${answer?.status} ${answer?.text}`, { cause });
    }
  }

  #placed({ operationId, target, parameter, headers, query }: FuzzRequest): Sent {
    if (operationId === 'none') return { target, parameter, headers, query };
    const place = (text: string) =>
      text
        .replaceAll(/@(-?\d+)/g, (_whole, back: string) => String(this.#model.head - Number(back)))
        // Without orders, the newest is one that does not exist.
        .replaceAll(/\$(-?\d+)/g, (_whole, back: string) =>
          String(Math.max(1, this.#model.orders.length - Number(back))),
        );
    const values = (
      object: Readonly<Record<string, string>>,
      change: (value: string, name: string) => string,
    ) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
    const placed = /^[@$]/.test(parameter ?? '') ? place(parameter ?? '') : parameter;
    return {
      target: place(target),
      parameter: placed,
      headers: values(headers, (value, name) => {
        if (name === 'Idempotency-Key') return value.replace(/[a-z]/, (first) => `${first}${this.#round}`);
        if (name === 'Last-Event-ID') return place(value);
        return name.startsWith('If-') ? value.replace('current', this.#tagFor(operationId, placed)) : value;
      }),
      query: values(query, (value) => (value.startsWith('@') ? place(value) : value)),
    };
  }

  /** The tag of the target of a request: a pet, an order, or the list. */
  #tagFor(operationId: string, parameter: string | undefined): string {
    if (operationId === 'listInventory') return this.#etag;
    if (isOfOrder(operationId)) return this.#model.orderTag(Number(parameter)) ?? '"none"';
    try {
      const isMovement = operationId === 'revertMovement';
      const petId = isMovement ? this.#model.movement(Number(parameter))?.petId : BigInt(parameter ?? '');
      const tag =
        operationId === 'getCatalogPet' ? this.#model.tagOf(petId ?? 0n) : this.#model.itemTagOf(petId ?? 0n);
      return tag ?? '"none"';
    } catch {
      return '"none"';
    }
  }

  #send({ method, credential, body, isStreamed }: FuzzRequest, { target, headers }: Sent): Promise<Answer> {
    const all: Record<string, string> = { ...headers };
    const authorization = this.#authorizations[credential];
    if (authorization !== null) all.Authorization = authorization;
    const sending: Sending = { key: null, headers: all };
    return sendUntilAccepted(() =>
      this.#app.request(method, target, {
        ...sending,
        ...(body && { body: isStreamed ? streamOf(body) : body }),
      }),
    );
  }

  /** The earliest fault decides. */
  #assertRefused({ faults, method, target }: FuzzRequest, answer: Answer): void {
    const firstStep = Math.min(...faults.map(({ step }) => step));
    const expected = faults.filter(({ step }) => step === firstStep).map(({ status }) => status);
    if (faults.length === 0 && method === 'OPTIONS') expected.push(204);
    assert.ok(expected.includes(answer.status), `expected ${expected.join(' or ')}`);
    if (answer.status !== 405 && answer.status !== 204) return;
    const methods = methodsAt(target).flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
    assert.equal(answer.headers.get('Allow'), [...methods, 'OPTIONS'].join(', '));
  }

  #judgeRead(request: FuzzRequest, sent: Sent, answer: Answer): void {
    assert.equal(answer.status, this.#expectedRead(request, sent));
    if (answer.status !== 200 || request.method === 'HEAD') return;
    READS[request.operationId]?.({ ...request, ...sent }, answer, this.#model, this.#surroundings);
  }

  #expectedRead({ operationId }: FuzzRequest, { parameter, query, headers: sent }: Sent): number {
    if (operationId === 'streamMovements') {
      if (Number(sent['Last-Event-ID'] ?? query.after ?? 0) > this.#model.head) return 400;
    }
    const isMovement = operationId === 'getMovement';
    const isOrder = operationId === 'getOrder';
    if (isOrder && !this.#model.orderTag(Number(parameter))) return 404;
    if (isMovement && !this.#model.movement(Number(parameter))) return 404;
    if (!isMovement && !isOrder && parameter !== undefined && !this.#model.items.has(BigInt(parameter)))
      return 404;
    const isList = operationId === 'listInventory';
    if (isList && isAhead(query, this.#model)) return 400;
    const hasTag = (isList && !isCut(query)) || isPetRead(operationId) || isOrder;
    const tag = hasTag ? this.#tagFor(operationId, parameter) : 'no tag';
    const [wanted, held] = [sent['If-Match'], sent['If-None-Match']];
    if (wanted !== undefined && !isNamed(wanted, tag)) return 412;
    return held !== undefined && isNamed(held, tag) ? 304 : 200;
  }

  #judgeWrite(request: FuzzRequest, sent: Sent, answer: Answer): void {
    const name = this.#keyName(request.method, sent);
    const fingerprint = JSON.stringify([
      sent.headers['If-Match'],
      sent.headers['If-None-Match'],
      request.body && new TextDecoder().decode(request.body),
    ]);
    const kept = name === undefined ? undefined : this.#kept.get(name);
    if (kept) {
      assertKept(kept, fingerprint, answer);
      return;
    }
    const expected = expectedWrite(this.#model, request, sent.parameter ?? '', sent.headers);
    assert.deepEqual([answer.status, answer.code], [expected.status, expected.code]);
    if (name !== undefined) this.#kept.set(name, { request: fingerprint, answer });
    this.#assertWritten(request, sent, answer, expected);
  }

  /** The identity of a request for its key: its decoded path and its text. */
  #keyName(method: string, { target, headers }: Sent): string | undefined {
    const key = headers['Idempotency-Key'];
    if (key === undefined) return undefined;
    const text = key.startsWith('"') ? (JSON.parse(key) as string) : key;
    return `${method} ${decodeURIComponent(target)} ${text}`;
  }

  #assertWritten(
    { operationId }: FuzzRequest,
    { parameter }: Sent,
    answer: Answer,
    { movement, rows, order, status }: ExpectedWrite,
  ): void {
    if (order) {
      assert.deepEqual(knownOrder(answer.json), order);
      assert.equal(answer.headers.get('ETag'), this.#model.orderTag(order.orderId));
    }
    if (isOfOrder(operationId)) return;
    if (rows) {
      const rowCodes = (answer.json as { rows: { code: string }[] }).rows.map(({ code }) => code);
      const codes = rows.map(({ code }) => code ?? 'done');
      assert.deepEqual(rowCodes, codes);
      return;
    }
    if (status === 201) {
      assert.deepEqual(knownMovement(answer.json), movement);
      return;
    }
    if (operationId === 'batchInventory' || operationId === 'revertMovement' || status === 404) return;
    const item = this.#model.items.get(BigInt(parameter ?? ''));
    assert.equal(answer.headers.get('ETag'), this.#model.tagOf(BigInt(parameter ?? '')));
    if (status === 200) assert.equal(`[${answer.text}]`, listJson(item ? [item] : []));
    else assert.equal(answer.headers.get('Inventory-Quantity'), String(item?.quantity));
  }

  async #allOrders(): Promise<KnownOrder[]> {
    const orders: KnownOrder[] = [];
    for (let next: string | undefined = '/v1/store/orders?order=asc&limit=100'; next;) {
      const { json, headers }: Answer = await this.#app.request('GET', next);
      orders.push(...(json as ExactJson[]).map(knownOrder));
      next = /<[^>]*(\/v1[^>]+)>/.exec(headers.get('Link') ?? '')?.[1];
    }
    return orders;
  }

  /** The list and its tag change with each movement, and only then. */
  async #assertTag(): Promise<void> {
    const before = this.#etag;
    const head = this.#model.head;
    await this.lookAgain();
    const isSame = this.#headOfTag === head;
    assert.equal(this.#etag === before, isSame, 'the tag changes with the list');
    this.#headOfTag = head;
  }
}

/** The answer to a key that is known: the same again for the same request, 422 for another one. */
function assertKept({ request, answer: first }: StoredAnswer, fingerprint: string, answer: Answer): void {
  if (answer.status === 422) {
    assert.notEqual(fingerprint, request, 'the same request is not another one');
    return;
  }
  assert.deepEqual([answer.status, answer.text], [first.status, first.text], 'word for word');
  assert.equal(answer.headers.get('Idempotency-Replayed'), 'true');
  for (const name of ['ETag', 'Location', 'Link']) {
    assert.equal(answer.headers.get(name), first.headers.get(name), name);
  }
}

function isPetRead(operationId: string): boolean {
  return operationId === 'getInventoryItem' || operationId === 'getCatalogPet';
}

function isOfOrder(operationId: string): boolean {
  return /^(?:place|get|approve|deliver|cancel|return)Order$/.test(operationId);
}

export function streamOf(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([body]).stream();
}

function shown({ method, target, headers, body }: FuzzRequest): string {
  const text = body ? new TextDecoder().decode(body) : '';
  const shownBody = text.length > 300 ? `${text.length} characters` : text;
  return `${method} ${target} ${JSON.stringify(headers)} ${shownBody}`;
}
