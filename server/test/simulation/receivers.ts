import { comparePositions, type EventPosition } from '../../src/domain/webhooks/events.ts';
import type { AttemptResult, Dispatch } from '../../src/webhooks/delivery/attempt.ts';
import { isFor, type ModelEvent } from '../webhooks/simulation/model-events.ts';
import { ACCOUNT, ENDPOINTS } from './database.ts';
import type { Faults } from './faults.ts';
import type { Life, Scheduler } from './scheduler.ts';
import type { Violations } from './violations.ts';

/** What the network and the receiver make of an attempt. */
type Fate = 'delivered' | 'request lost' | 'answer lost' | 'failed' | 'delayed' | 'doubled';

const FATES: readonly Fate[] = ['request lost', 'answer lost', 'failed', 'delayed', 'doubled'];
/** After a change of an endpoint, its lease may lapse, and another queue may begin, for so long. */
const AFTER_CHANGE_MS = 40_000;
const TIMEOUT_MS = 10_000;

interface Reception {
  readonly position: EventPosition;
  /** Why this event, and those after it, may be sent again; `undefined`: they may not. */
  readonly excuse: string | undefined;
}

/** A replay that its owner knows to be done. */
interface Replay {
  readonly after: EventPosition;
  /** The number of receptions before it was requested. */
  readonly at: number;
}

interface Attempting {
  readonly sender: SendingInstance;
  readonly signals: readonly AbortSignal[];
}

/** An instance that sends. */
export interface SendingInstance {
  /** Another one for each start of a sender. */
  readonly owner: string;
  readonly life: Life;
  /** Requests that it has sent are on their way also while it is frozen. */
  readonly network: Life;
  readonly faults: Faults;
  /** Whether it stops in order. Another instance can have its leases before it knows that they are given back. */
  readonly isStopping: () => boolean;
  /** Whether it has reported everything, and has given its leases back. */
  readonly hasStopped: () => boolean;
}

class Receiver {
  readonly id: string;
  readonly url: string;
  readonly filter: Parameters<typeof isFor>[1];
  readonly receptions: Reception[] = [];
  readonly replays: Replay[] = [];
  readonly attempting = new Set<Attempting>();
  excuse: string | undefined;
  changedUntilMs = 0;
  /** Whether no queue has delivered anything since a change: no instance may send for longer than a change is remembered. */
  isChanged = false;
  last: SendingInstance | undefined;
  /** The queue of the last reception. */
  queue: AbortSignal | undefined;
  /** Those that have begun to send, each named by the signal that ends it. */
  readonly queues = new WeakSet<AbortSignal>();

  constructor({ id, url, types, petIds }: (typeof ENDPOINTS)[number]) {
    this.id = id;
    this.url = url;
    this.filter = {
      accountId: ACCOUNT.id,
      types: (types?.split(' ') ?? null) as Receiver['filter']['types'],
      petIds: petIds === null ? null : [BigInt(petIds)],
      statuses: null,
    };
  }
}

/** The receivers of all endpoints, and a network that loses, delays, doubles and fails. */
export class Receivers {
  readonly #scheduler: Scheduler;
  readonly #violations: Violations;
  readonly #cursorOf: (id: string) => EventPosition;
  readonly #receivers = ENDPOINTS.map((endpoint) => new Receiver(endpoint));
  /** Whether each attempt succeeds. */
  isHealthy = false;

  /** @param cursorOf The last report of an endpoint that is in the database. */
  constructor(scheduler: Scheduler, violations: Violations, cursorOf: (id: string) => EventPosition) {
    this.#scheduler = scheduler;
    this.#violations = violations;
    this.#cursorOf = cursorOf;
  }

  get ids(): readonly string[] {
    return this.#receivers.map(({ id }) => id);
  }

  /** Its owner pauses, resumes or replays an endpoint, so that events may come again. */
  change(id: string): void {
    const receiver = this.#receivers.find((one) => one.id === id) as Receiver;
    receiver.changedUntilMs = this.#scheduler.nowMs + AFTER_CHANGE_MS;
    receiver.isChanged = true;
  }

  /** Call it before a replay is requested, and the result when its owner knows that it is done. */
  replay(id: string, after: EventPosition): () => void {
    const receiver = this.#receivers.find((one) => one.id === id) as Receiver;
    const at = receiver.receptions.length;
    return () => void receiver.replays.push({ after, at });
  }

  async attempt(sender: SendingInstance, dispatch: Dispatch): Promise<AttemptResult> {
    const { message, url, signals } = dispatch;
    const receiver = this.#receivers.find((one) => one.url === url) as Receiver;
    const [sequence = 0, number = 0] = message.id.replace(/-.*/, '').split('.').map(Number);
    const [queue] = signals as [AbortSignal];
    this.#checkSender(receiver, sender, `${sequence}.${number}`);
    this.#checkBeginning(receiver, queue, { sequence, number });
    const attempting = { sender, signals };
    receiver.attempting.add(attempting);
    const fate = this.#fate();
    const label = `${sender.owner} sends ${sequence}.${number} to ${receiver.id.slice(-1)} ${fate}`;
    const wayMs =
      fate === 'delayed'
        ? this.#scheduler.random.integer(1_000, 9_000)
        : this.#scheduler.random.integer(1, 40);
    await this.#scheduler.wait(wayMs, label, sender.network, signals);
    const isAborted = () => signals.some(({ aborted }) => aborted);
    const arrives = !isAborted() && fate !== 'request lost';
    if (arrives && fate !== 'failed') this.#receive(receiver, sender, queue, { sequence, number });
    if (arrives && fate === 'doubled')
      receiver.receptions.push({ position: { sequence, number }, excuse: 'doubled' });
    const isLost = fate === 'request lost' || fate === 'answer lost';
    const backMs = isLost ? TIMEOUT_MS - wayMs : this.#scheduler.random.integer(0, 20);
    await this.#scheduler.wait(backMs, 'response', sender.life, signals);
    receiver.attempting.delete(attempting);
    const isDelivered = arrives && !isLost && fate !== 'failed' && !isAborted();
    if (!isDelivered) receiver.excuse = fate;
    return this.#result(dispatch, isDelivered ? 204 : isLost || isAborted() ? null : 503);
  }

  /** At the end: each receiver has exactly its events, in their order, and again only for a reason. */
  check(events: readonly ModelEvent[]): void {
    for (const receiver of this.#receivers) {
      const matching = events.filter((event) => isFor(event, receiver.filter));
      const places = new Map(matching.map(({ place }, i) => [place, i]));
      let next = 0;
      for (const { position, excuse } of receiver.receptions) {
        const place = `${position.sequence}.${position.number}`;
        const i = places.get(place);
        const where = () => `${receiver.id} received ${place}`;
        if (i === undefined) this.#violations.add(`${where()}, which is not for it.`);
        else if (i > next) this.#violations.add(`${where()} before ${matching[next]?.place}.`);
        else if (i < next && excuse === undefined) this.#violations.add(`${where()} again without a reason.`);
        next = (i ?? next - 1) + 1;
      }
      const missing = matching[next];
      this.#violations.require(!missing, () => `${receiver.id} never received ${missing?.place}.`);
      this.#checkReplays(receiver, matching);
    }
  }

  /** Whether each receiver has received its newest event. */
  isComplete(events: readonly ModelEvent[]): boolean {
    return this.#receivers.every(({ filter, receptions }) => {
      const newest = events.findLast((event) => isFor(event, filter));
      const last = receptions.at(-1)?.position;
      return !newest || (last !== undefined && comparePositions(last, newest) >= 0);
    });
  }

  #checkReplays({ id, replays, receptions }: Receiver, matching: readonly ModelEvent[]): void {
    for (const { after, at } of replays) {
      const first = matching.find((event) => comparePositions(event, after) > 0);
      const isThere =
        !first || receptions.slice(at).some((one) => comparePositions(one.position, first) === 0);
      this.#violations.require(isThere, () => `${id} did not receive ${first?.place} again after a replay.`);
    }
  }

  #fate(): Fate {
    const { random } = this.#scheduler;
    return this.isHealthy || !random.chance(0.08) ? 'delivered' : random.pick(FATES);
  }

  /** A queue never repeats what it has delivered. Another one may, which begins where the last report in the database ends. */
  #receive(receiver: Receiver, sender: SendingInstance, queue: AbortSignal, position: EventPosition): void {
    if (receiver.queue !== queue) {
      receiver.excuse ??= this.#excuseOf(receiver, sender);
      receiver.isChanged = false;
    }
    receiver.queue = queue;
    receiver.receptions.push({ position, excuse: receiver.excuse });
    receiver.excuse = undefined;
    receiver.last = sender;
  }

  /** Why another queue sends. */
  #excuseOf({ last, changedUntilMs, isChanged }: Receiver, sender: SendingInstance): string | undefined {
    if (last && last.owner !== sender.owner && !last.hasStopped()) return 'another sender';
    if (isChanged || this.#scheduler.nowMs < changedUntilMs) return 'changed';
    return sender.faults.isDisturbed ? 'disturbed' : undefined;
  }

  /** The first event of a queue comes after all events that are reported as delivered, whatever has failed. */
  #checkBeginning(receiver: Receiver, queue: AbortSignal, first: EventPosition): void {
    if (receiver.queues.has(queue)) return;
    receiver.queues.add(queue);
    const reported = this.#cursorOf(receiver.id);
    this.#violations.require(
      comparePositions(first, reported) > 0,
      () =>
        `${receiver.id} is sent ${first.sequence}.${first.number} although ${reported.sequence}.${reported.number} is reported.`,
    );
  }

  /** One sender at a time, and another one only after the first has ended or has lost the database. */
  #checkSender(receiver: Receiver, sender: SendingInstance, place: string): void {
    for (const other of receiver.attempting) {
      const { isAlive, frozenUntilMs } = other.sender.life;
      // In the moment in which it continues, it has not noticed yet that its lease has ended.
      if (isAlive && frozenUntilMs >= this.#scheduler.nowMs) continue;
      const isOver = !isAlive || other.signals.some(({ aborted }) => aborted);
      if (isOver) receiver.attempting.delete(other);
      else
        this.#violations.add(
          `${sender.owner} sends ${place} to ${receiver.id} while ${other.sender.owner} sends.`,
        );
    }
    const { last } = receiver;
    if (!last || last.owner === sender.owner || !last.life.isAlive || last.isStopping()) return;
    const isExcused = last.faults.isDisturbed || this.#scheduler.nowMs < receiver.changedUntilMs;
    this.#violations.require(
      isExcused,
      () => `${last.owner} lost the lease of ${receiver.id} without a fault.`,
    );
  }

  #result({ message, failures }: Dispatch, statusCode: number | null): AttemptResult {
    const what = { eventId: message.id, eventType: message.type, attempt: failures + 1 };
    const texts = { error: null, errorCode: null, errorDetail: null, response: null };
    return {
      result: statusCode === 204 ? 'delivered' : 'status',
      retryAfter: undefined,
      traceparent: undefined,
      attempt: { ...what, ...texts, attemptedAtMs: this.#scheduler.nowMs, durationMs: 1, statusCode },
    };
  }
}
