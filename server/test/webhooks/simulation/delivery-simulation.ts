import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { EventPosition } from '../../../src/domain/webhooks/events.ts';
import type { WebhookSenderStore } from '../../../src/domain/webhooks/webhook-store.ts';
import type { EventClient } from '../../../src/store/webhooks/event-reader.ts';
import type { AttemptResult, Dispatch } from '../../../src/webhooks/delivery/attempt.ts';
import type { SourceLimits } from '../../../src/webhooks/queues/event-source.ts';
import { AUTHOR } from '../../webhook-endpoints/endpoint-shop.ts';
import { newSendingShop, type RunningSender, type SendingShop } from '../sending-shop.ts';
import { EventHistory } from './event-history.ts';
import type { Filter } from './model-events.ts';
import { SimulatedEndpoint } from './simulated-endpoint.ts';
import type { Simulated, Step } from './steps.ts';
import { VirtualTime } from './virtual-time.ts';

/** A retry after failures waits longer. */
const PROMPT_MS = 1_000;
const NEVER = new AbortController().signal;
/** Long enough for all events with the slowest receiver, which then makes the test fail. */
const MAX_ROUNDS = 2_000;

/** A sender with its endpoints on a real database, where time is virtual and receivers are functions. */
export class DeliverySimulation {
  readonly #history: EventHistory;
  readonly #shop: SendingShop;
  readonly #limits: SourceLimits | undefined;
  readonly #time = new VirtualTime();
  readonly #endpoints: SimulatedEndpoint[] = [];
  #running: RunningSender | undefined;
  /** The next reads of events that fail. */
  #faults = 0;
  /** How long a read of events takes. */
  #readMs = 0;
  /** Whether nothing reaches the database any more, as after a crash. */
  #isCut = false;

  /** @param limits Those of the service by default. */
  static async run(t: TestContext, { endpoints, steps }: Simulated, limits?: SourceLimits): Promise<void> {
    const simulation = new DeliverySimulation(await newSendingShop(t), limits);
    for (const { filter, accountId, latencyMs } of endpoints) {
      const endpoint = await simulation.#subscribe({ ...filter, accountId });
      endpoint.latencyMs = latencyMs;
    }
    await simulation.#start();
    for (const step of steps) await simulation.#take(step);
    await simulation.#finish();
  }

  private constructor(shop: SendingShop, limits: SourceLimits | undefined) {
    this.#shop = shop;
    this.#limits = limits;
    this.#history = new EventHistory(shop);
  }

  async #take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'change':
        return this.#history.change(step.petIds, step.status);
      case 'record':
        return this.#history.record(step.events);
      case 'pass':
        return this.#time.pass(step.ms);
      case 'faults':
        this.#faults = step.reads;
        return;
      case 'slow':
        this.#readMs = step.readMs;
        return;
      case 'restart':
        await this.#stop();
        return this.#start();
      case 'crash':
        return this.#crash();
      default:
        return this.#takeOf(this.#endpoints[step.of % this.#endpoints.length] as SimulatedEndpoint, step);
    }
  }

  /** Waits until everything is delivered, and asserts that it is exactly what the model expects. */
  async #finish(): Promise<void> {
    this.#faults = 0;
    this.#readMs = 0;
    for (const endpoint of this.#endpoints) await this.#letContinue(endpoint);
    const events = await this.#history.events();
    const isComplete = () => this.#endpoints.every((endpoint) => endpoint.isComplete(events));
    for (let round = 0; round < MAX_ROUNDS && !isComplete(); round += 1) await this.#time.pass(500);
    // What is sent too often or too late would come now.
    await this.#time.pass(1_000);
    const fatal = this.#running?.fatal;
    await this.#stop();
    for (const endpoint of this.#endpoints) endpoint.check(events);
    assert.deepEqual(fatal, []);
    const newest = events.at(-1);
    for (const { id } of this.#endpoints) {
      const { cursor } = await this.#shop.store.webhooks.find(id);
      assert.deepEqual(cursor, { sequence: newest?.sequence, number: Math.max(newest?.number ?? 0, 1) });
    }
  }

  async #takeOf(endpoint: SimulatedEndpoint, step: Extract<Step, { of: number }>): Promise<void> {
    switch (step.kind) {
      case 'filter':
        return this.#changeFilter(endpoint, { ...step.filter, accountId: endpoint.filter.accountId });
      case 'replay':
        return this.#replay(endpoint, step.from);
      case 'pause':
        await this.#shop.store.webhooks.pause(endpoint.id, AUTHOR);
        return this.#wake();
      case 'resume':
        return this.#resume(endpoint);
      case 'renew':
        await this.#shop.store.webhooks.pause(endpoint.id, AUTHOR);
        return this.#resume(endpoint);
      case 'mend':
        return this.#failAndMend(endpoint);
      case 'respond':
        endpoint.statuses = [...step.statuses];
        return;
      case 'latency':
        endpoint.latencyMs = step.ms;
        return;
    }
  }

  async #subscribe(filter: Filter): Promise<SimulatedEndpoint> {
    const url = `https://receiver.example/${this.#endpoints.length}`;
    const { endpoint } = await this.#shop.subscribe(url, filter);
    const simulated = new SimulatedEndpoint(endpoint.id, url, filter, endpoint.cursor);
    this.#endpoints.push(simulated);
    return simulated;
  }

  async #changeFilter(endpoint: SimulatedEndpoint, filter: Filter): Promise<void> {
    const { types, petIds, statuses } = filter;
    await this.#shop.store.webhooks.update(endpoint.id, { types, petIds, statuses }, AUTHOR);
    await this.#wake();
    endpoint.changeFilter(filter, await this.#history.events());
  }

  async #replay(endpoint: SimulatedEndpoint, from: number): Promise<void> {
    const places: readonly EventPosition[] = [{ sequence: 0, number: 0 }, ...(await this.#history.events())];
    const { sequence, number } = places[from % places.length] as EventPosition;
    const { cursor } = await this.#shop.store.webhooks.replay(endpoint.id, { sequence, number }, AUTHOR);
    endpoint.replay(cursor);
    await this.#wake();
  }

  async #resume(endpoint: SimulatedEndpoint): Promise<void> {
    const { pausedAtMs } = await this.#shop.store.webhooks.find(endpoint.id);
    if (pausedAtMs === null) return;
    const { cursor } = await this.#shop.store.webhooks.resume(endpoint.id, AUTHOR);
    endpoint.continueAfter(cursor);
    await this.#wake();
  }

  /** The receiver works again. Only an endpoint that waits for a retry or is paused needs its owner to continue now. */
  async #letContinue(endpoint: SimulatedEndpoint): Promise<void> {
    endpoint.statuses = [];
    endpoint.latencyMs = 1;
    await this.#time.pass(500);
    const { failures } = await this.#shop.store.webhooks.find(endpoint.id);
    if (failures > 0) await this.#mend(endpoint);
    else await this.#resume(endpoint);
  }

  /** The receiver works again, and its owner has the endpoint continue immediately. */
  async #mend(endpoint: SimulatedEndpoint): Promise<void> {
    endpoint.statuses = [];
    await this.#shop.store.webhooks.pause(endpoint.id, AUTHOR);
    await this.#resume(endpoint);
  }

  async #failAndMend(endpoint: SimulatedEndpoint): Promise<void> {
    endpoint.statuses = new Array<number>(100).fill(503);
    await this.#time.pass(3_000);
    await this.#mend(endpoint);
    this.#faults = 0;
    this.#readMs = 0;
    const events = await this.#history.events();
    if (endpoint.isComplete(events)) return;
    await this.#time.pass(PROMPT_MS);
    assert.ok(endpoint.received.length > 0, `${endpoint.url} receives soon after it was resumed`);
  }

  async #start(): Promise<void> {
    this.#faults = 0;
    const starting = this.#shop.startSender({
      clocks: this.#time.clocks,
      wait: this.#time.wait,
      wrap: (store) => this.#observed(store),
      wrapReads: (client) => this.#observedReads(client),
      deliverer: { attempt: (dispatch) => this.#attempt(dispatch) },
      ...(this.#limits && { limits: this.#limits }),
    });
    this.#running = await this.#time.until(starting);
    await this.#time.settle();
  }

  async #stop(): Promise<void> {
    if (this.#running) await this.#time.until(this.#running.stop());
  }

  /** The sender ends, and nothing of it is written that was not written before. */
  async #crash(): Promise<void> {
    this.#isCut = true;
    await this.#stop();
    this.#isCut = false;
    for (const endpoint of this.#endpoints) {
      const { cursor } = await this.#shop.store.webhooks.find(endpoint.id);
      endpoint.continueAfter(cursor);
    }
    await this.#start();
  }

  async #wake(): Promise<void> {
    this.#running?.sender.wake();
    await this.#time.settle();
  }

  async #attempt({ url, message, failures, signals }: Dispatch): Promise<AttemptResult> {
    const endpoint = this.#endpoints.find((one) => one.url === url) as SimulatedEndpoint;
    const { received } = endpoint;
    const [sequence = 0, number = 0] = message.id.replace(/-.*/, '').split('.').map(Number);
    const decided = endpoint.statuses.shift() ?? 204;
    endpoint.inDelivery = { sequence, number, isAccepted: decided === 204 };
    await this.#time.wait(endpoint.latencyMs, AbortSignal.any([...signals]));
    endpoint.inDelivery = undefined;
    const isAborted = signals.some(({ aborted }) => aborted);
    const statusCode = isAborted ? null : decided;
    const isDelivered = statusCode === 204;
    if (isDelivered) received.push({ sequence, number });
    const [eventId, eventType, atMs] = [message.id, message.type, this.#time.clocks.wallMs()];
    const what = { eventId, eventType, attempt: failures + 1, attemptedAtMs: atMs, durationMs: 1 };
    return {
      result: isDelivered ? 'delivered' : 'status',
      retryAfter: undefined,
      traceparent: undefined,
      attempt: { ...what, statusCode, error: null, errorCode: null, errorDetail: null, response: null },
    };
  }

  #observed(store: WebhookSenderStore): WebhookSenderStore {
    const during = <T>(operation: () => Promise<T>, otherwise: T) =>
      this.#time.during(() => (this.#isCut ? Promise.resolve(otherwise) : operation()));
    return {
      lease: (owner, ms) => during(() => store.lease(owner, ms), { endpoints: [], unopened: [] }),
      release: (owner) => during(() => store.release(owner), undefined),
      report: (progress) => during(() => store.report(progress), []),
      pause: (pauses) => during(() => store.pause(pauses), []),
    };
  }

  #observedReads(client: EventClient): EventClient {
    const during = async <T>(operation: () => Promise<T>) => {
      if (this.#readMs > 0) await this.#time.wait(this.#readMs, NEVER);
      if (this.#faults === 0) return this.#time.during(operation);
      this.#faults -= 1;
      throw new Error('a read failed');
    };
    return {
      all: (sql, values) => during(() => client.all(sql, values)),
      read: (statement, values) => during(() => client.read(statement, values)),
    };
  }
}
