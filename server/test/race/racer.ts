import { setTimeout as delay } from 'node:timers/promises';
import { errorOf } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import type { SeededRandom } from '../support/limit-clients.ts';
import type { Outcome, Reported } from './checker/history.ts';
import { Connections, type Exchange } from './connections.ts';
import type { OrderOutcome } from './orders/order-operation.ts';
import type { RaceRecord } from './race-record.ts';
import type { CheckedRequest, Sighting } from './requests.ts';

/** An API key, with the id by which the ledger names it. */
export interface RaceKey {
  readonly id: string;
  readonly key: string;
}

export interface RacerParts {
  readonly name: string;
  readonly random: SeededRandom;
  readonly key: RaceKey;
  readonly record: RaceRecord;
  /** The ports of all instances, those that are down for a moment too. */
  readonly ports: () => readonly number[];
}

const GIVE_UP_TIMEOUT_MS = 60_000;
const MAX_PAUSE_MS = 25;
/** How often an answered request is sent once more, and how often a client goes away without its answer. */
const REPEATED_SHARE = 0.08;
const HANG_UP_SHARE = 0.01;
const UNCONFIRMED = 'The change could not be confirmed; read it back.';

/** The conclusion of a client after one try. */
type Verdict = 'decided' | 'undone' | 'unknown' | 'unsent';

/** What the client can conclude from one try. */
export function verdictOf(exchange: Exchange): Verdict {
  if (exchange.kind === 'unsent') return 'unsent';
  if (exchange.kind === 'broken') return 'unknown';
  const { answer } = exchange;
  if (answer.status !== 503 && answer.status !== 409) return 'decided';
  const { code, message } = errorOf(answer);
  // Of a request that runs under the same key nothing is known but that it was sent before.
  if (code === 'idempotency_in_progress') return 'unknown';
  if (code !== 'service_unavailable') return 'decided';
  return message === UNCONFIRMED ? 'unknown' : 'undone';
}

/** One client of a race, with one request at a time: it sends, retries if it has a key, and records every result. */
export class Racer {
  /** The last stock that it saw of each pet. */
  readonly seen = new Map<bigint, Sighting>();
  readonly random: SeededRandom;
  readonly #parts: RacerParts;
  readonly #connections: Connections;

  constructor(parts: RacerParts) {
    this.#parts = parts;
    this.random = parts.random;
    this.#connections = new Connections(parts.key.key);
  }

  close(): void {
    this.#connections.close();
  }

  /** Sends until the outcome is decided; without a key, a broken try leaves it unknown. */
  async perform(checked: CheckedRequest, idempotencyKey?: string): Promise<void> {
    const { name, key, record } = this.#parts;
    const request = withKey(checked, idempotencyKey);
    const requestIds: string[] = [];
    const giveUpAtMs = performance.now() + GIVE_UP_TIMEOUT_MS;
    let invokedAtMs = 0;
    let isUncertain = false;
    for (;;) {
      if (!isUncertain) invokedAtMs = performance.now();
      const exchange = await this.#try(request);
      const verdict = verdictOf(exchange);
      const answer = exchange.kind === 'answered' ? exchange.answer : undefined;
      if (answer) requestIds.push(requestIdOf(answer));
      const trace = { client: name, actor: key.id, invokedAtMs, requestIds };
      if (answer && verdict === 'decided') {
        const requestId = isReplay(answer) ? undefined : requestIdOf(answer);
        this.#decide(checked, answer, { ...trace, requestId });
        if (idempotencyKey !== undefined && this.random.chance(REPEATED_SHARE))
          await this.#repeat(request, answer);
        return;
      }
      if (verdict === 'unknown') isUncertain = true;
      const isLate = performance.now() > giveUpAtMs;
      if (isLate) record.faults.push(`${name} was not answered in time: ${request.method} ${request.path}.`);
      const isOver = isLate || (verdict !== 'unsent' && idempotencyKey === undefined);
      if (isOver) {
        const outcome = { result: isUncertain ? 'unknown' : 'failed' } as const;
        const last = { ...trace, requestId: undefined };
        for (const part of checked.parts) record.note(part, outcome, last);
        for (const action of checked.order?.actions ?? []) record.noteOrder(action, outcome, last);
      } else record.count('tries again');
      await delay(this.random.integer(1, MAX_PAUSE_MS));
      if (isOver) return;
    }
  }

  #try(request: CheckedRequest['request']): Promise<Exchange> {
    const port = this.random.pick(this.#parts.ports());
    const isGone = request.method !== 'GET' && this.random.chance(HANG_UP_SHARE);
    return isGone
      ? this.#connections.sendAndLeave(port, request, this.random.integer(0, MAX_PAUSE_MS))
      : this.#connections.send(port, request);
  }

  #decide(checked: CheckedRequest, answer: RawResponse, trace: Parameters<RaceRecord['note']>[2]): void {
    const { record } = this.#parts;
    let outcomes: readonly Outcome[];
    let ofOrders: readonly OrderOutcome[];
    try {
      outcomes = checked.outcomesOf(answer);
      ofOrders = checked.order?.outcomesOf(answer) ?? [];
    } catch (error) {
      record.faults.push(`${checked.request.method} ${checked.request.path}: ${String(error)}`);
      return;
    }
    for (const [index, action] of (checked.order?.actions ?? []).entries()) {
      const outcome = ofOrders[index]!;
      record.noteOrder(action, outcome, trace);
      const tag = answer.headers.get('etag');
      if (outcome.result === 'done' && tag !== undefined) record.seeOrder({ order: outcome.order, tag });
    }
    for (const [index, part] of checked.parts.entries()) {
      const outcome = outcomes[index]!;
      record.note(part, outcome, trace);
      if (outcome.result === 'done' || outcome.result === 'refused')
        this.#learn(part.petId, outcome, hasPetTag(checked) ? answer.headers.get('etag') : undefined);
    }
  }

  #learn(petId: bigint, reported: Reported, tag: string | undefined): void {
    const { quantity, status, version } = reported;
    if (tag !== undefined && version !== undefined) this.#parts.record.noteTag(petId, version, tag);
    if (quantity === undefined) return;
    this.seen.set(petId, {
      quantity,
      ...(status === undefined ? {} : { status }),
      ...(version === undefined ? {} : { version }),
      ...(tag === undefined ? {} : { tag }),
    });
  }

  /** Sends the same request again, to any instance. The answer must be the same bytes and be marked as a replay. */
  async #repeat(request: CheckedRequest['request'], first: RawResponse): Promise<void> {
    const { record, ports, name } = this.#parts;
    const exchange = await this.#connections.send(this.random.pick(ports()), request);
    if (exchange.kind !== 'answered' || verdictOf(exchange) !== 'decided') return;
    const { answer } = exchange;
    record.count('repeated');
    if (answer.status !== first.status || !answer.body.equals(first.body) || !isReplay(answer))
      record.faults.push(
        `${name} repeated ${request.method} ${request.path} and got ${answer.status} ${answer.body} after ${first.status} ${first.body}.`,
      );
  }
}

/** Whether the entity tag of an answer is that of a pet. */
function hasPetTag({ parts, order }: CheckedRequest): boolean {
  return parts.length === 1 && !order;
}

function withKey({ request }: CheckedRequest, idempotencyKey: string | undefined): CheckedRequest['request'] {
  if (idempotencyKey === undefined) return request;
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': idempotencyKey } };
}

export function isReplay({ headers }: RawResponse): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

function requestIdOf({ headers }: RawResponse): string {
  return headers.get('x-request-id') ?? '';
}
