import type { EndpointPause, WebhookSenderStore } from '../domain/webhooks/webhook-store.ts';
import type { EventReader } from '../store/webhooks/event-reader.ts';
import type { AttemptResult, Clocks, Deliverer, Dispatch } from './delivery/attempt.ts';
import { LEASE_MS, LeaseClock } from './lease-clock.ts';
import { DatabaseGuard, PeriodicTask, type Wait } from './periodic-task.ts';
import { ProgressReports } from './progress-reports.ts';
import { DeliverySlots } from './queues/delivery-slots.ts';
import { EndpointQueue, type QueueOptions, type SendingQueue } from './queues/endpoint-queue.ts';
import { EventSource, type SourceLimits, type SourceOptions } from './queues/event-source.ts';
import { LeasedQueues } from './queues/leased-queues.ts';
import { type SenderNumbers, SenderStats } from './sender-stats.ts';
import { UnopenedEndpoints } from './unopened-endpoints.ts';

/** Between two looks for new events. */
export const POLL_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 250;
const SKIP_REPORT_INTERVAL_MS = 10_000;
const RENEW_INTERVAL_MS = 5_000;
const LEASE_CHECK_INTERVAL_MS = 250;
const MAX_LAST_RETRIES = 10;
const LAST_RETRY_MS = 100;
/** Per transaction, for which changes of stock wait. On PostgreSQL each endpoint takes some round trips. */
const MAX_PAUSES = 50;
const NEVER = new AbortController().signal;
/** How long an attempt in progress to a receiver that fails may take during a stop; others may take longer. */
const SHORT_STOP_MS = 3_000;

interface SenderOptions {
  /** Names this process among the senders. */
  readonly owner: string;
  readonly store: WebhookSenderStore;
  readonly reader: EventReader;
  readonly source: SourceOptions;
  /** `SOURCE_LIMITS` by default. */
  readonly limits?: SourceLimits;
  readonly deliverer: Pick<Deliverer, 'attempt'>;
  readonly clocks: Clocks;
  /** Unix milliseconds by the clock of this machine, for the leases. */
  readonly machineMs: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly wait: Wait;
  /** Called after each attempt, except one that was broken off. */
  readonly onAttempt?: (url: string, sent: AttemptResult) => void;
  /** Called after an endpoint was paused. */
  readonly onPaused: (id: string, reason: 'failing' | 'gone') => void;
  /** Called once for an endpoint whose secret does not open. */
  readonly onUnopened: (id: string) => void;
  /** Called for an endpoint whose events cannot be read or sent now; it is tried again. */
  readonly onError: (endpointId: string, error: unknown) => void;
  /** Called when the sender does not work any more: it must be stopped, and started again. */
  readonly onFatal: (error: unknown) => void;
}

/** Delivers the events of a database to the endpoints whose leases this process has. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #queues: LeasedQueues;
  readonly #slots = new DeliverySlots();
  readonly #stats = new SenderStats();
  readonly #lease: LeaseClock;
  readonly #reports: ProgressReports;
  readonly #leasing: PeriodicTask;
  readonly #pausing: PeriodicTask;
  readonly #tasks: readonly PeriodicTask[];
  readonly #unopened: UnopenedEndpoints;
  /** Queues that ended since the last leases were requested, by their ids, with the newest token. */
  readonly #lost = new Map<string, number>();
  /** Endpoints to pause, by their ids. */
  readonly #pauses = new Map<string, EndpointPause>();
  #isStopping = false;

  static async start(options: SenderOptions): Promise<Sender> {
    const source = await EventSource.start(options.reader, options.source, options.limits);
    const sender = new Sender(options, source);
    for (const task of [...sender.#tasks, sender.#pausing]) task.start();
    return sender;
  }

  private constructor(options: SenderOptions, source: EventSource) {
    const { clocks, random, wait, store, onUnopened, onError } = options;
    this.#options = options;
    this.#lease = new LeaseClock({ ...clocks, machineMs: options.machineMs });
    this.#reports = new ProgressReports({ store, onLost: (progress) => this.#lose(progress) });
    this.#unopened = new UnopenedEndpoints(store, onUnopened);
    const onProgress = (queue: EndpointQueue) => {
      this.#reports.add(queue);
      if (queue.pause) this.#pauses.set(queue.id, queue.pause);
    };
    const send: QueueOptions['send'] = (dispatch, from) => this.#send(dispatch, from);
    const queueOptions = { source, clocks, random, wait, send, onProgress, onError };
    this.#queues = new LeasedQueues((leased) => new EndpointQueue(leased, queueOptions), onError);
    const onDatabase = (intervalMs: number, run: () => Promise<boolean>, guardOptions = options) => {
      const guard = new DatabaseGuard(guardOptions);
      return new PeriodicTask(intervalMs, () => guard.run(run), wait);
    };
    this.#leasing = onDatabase(RENEW_INTERVAL_MS, () => this.#renew());
    // A pause that cannot be written must not end the deliveries of the other endpoints. Its connection is a new one each time.
    const withoutEnd = { ...options, onFatal: () => undefined };
    this.#pausing = onDatabase(REPORT_INTERVAL_MS, () => this.#pause(), withoutEnd);
    this.#tasks = [
      this.#leasing,
      onDatabase(POLL_INTERVAL_MS, () => source.poll(this.#queues)),
      onDatabase(REPORT_INTERVAL_MS, () => this.#report()),
      new PeriodicTask(SKIP_REPORT_INTERVAL_MS, async () => this.#addSkipped(), wait),
      new PeriodicTask(LEASE_CHECK_INTERVAL_MS, async () => this.#checkLease(), wait),
    ];
  }

  /** Looks for new and changed endpoints immediately. */
  wake(): void {
    this.#leasing.wake();
  }

  numbers(): SenderNumbers {
    return this.#stats.numbers(this.#queues, this.#unopened.count, this.#options.clocks.wallMs());
  }

  /**
   * Waits for attempts in progress, reports, and gives all leases back.
   * @param timeoutMs How long attempts in progress may take. An attempt that is cut is repeated, although the receiver may have
   * the event.
   */
  async stop(timeoutMs = SHORT_STOP_MS): Promise<void> {
    this.#isStopping = true;
    const ended = Promise.all([...this.#queues].map((queue) => queue.finish()));
    await this.#waitFor(ended, SHORT_STOP_MS);
    for (const queue of [...this.#queues]) if (queue.isFailing) this.#queues.drop(queue.id);
    if (timeoutMs > SHORT_STOP_MS) await this.#waitFor(ended, timeoutMs - SHORT_STOP_MS);
    this.#addSkipped();
    // The tasks below may wait for the database until the leases are over, and then another sender begins.
    this.#queues.dropAll();
    // A pause may wait for the ledger for longer than the process lives. The last report and the leases do not wait.
    const pausing = this.#pausing.stop();
    await Promise.all(this.#tasks.map((task) => task.stop()));
    await this.#insist(() => this.#reports.write());
    await this.#insist(() => this.#options.store.release(this.#options.owner));
    await pausing;
  }

  async #waitFor(ended: Promise<unknown>, timeoutMs: number): Promise<void> {
    const timeout = new AbortController();
    await Promise.race([ended, this.#options.wait(timeoutMs, timeout.signal)]);
    timeout.abort();
  }

  /** Repeats a last write that fails, for a second. Without it deliveries are repeated, and the endpoints wait until the leases end. */
  async #insist(write: () => Promise<void>): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        if (failures > MAX_LAST_RETRIES) throw error;
        await this.#options.wait(LAST_RETRY_MS, NEVER);
      }
    }
  }

  #send(
    dispatchNow: () => Dispatch | undefined,
    { failures, isSlow }: SendingQueue,
  ): Promise<AttemptResult | undefined> {
    const place = failures > 0 ? 'failed' : isSlow ? 'slow' : 'prompt';
    return this.#slots.run(place, async (tooSlow) => {
      const dispatch = dispatchNow();
      if (!dispatch) return undefined;
      const signals = [...dispatch.signals, tooSlow];
      const isAborted = () => signals.some(({ aborted }) => aborted);
      if (this.#isStopping || isAborted() || !this.#requireLease()) return undefined;
      const sent = await this.#options.deliverer.attempt({ ...dispatch, signals });
      // An aborted attempt is not a failure of the receiver.
      if (isAborted() && sent.result !== 'delivered') return undefined;
      this.#stats.observe(sent.result, sent.attempt.durationMs);
      this.#options.onAttempt?.(dispatch.url, sent);
      return sent;
    });
  }

  /**
   * Takes and renews leases; only renews them during a stop, which waits for attempts for longer than a lease. A renewal waits
   * for no report, because leases would end where reports take long. After leases have ended, what was delivered must be written
   * before its endpoints are read again; nothing is added to it meanwhile.
   */
  async #renew(): Promise<boolean> {
    const isRenewal = this.#requireLease();
    if (this.#isStopping && !isRenewal) return false;
    if (!isRenewal) await this.#report();
    this.#lost.clear();
    const granted = this.#lease.begin();
    const { endpoints, unopened } = await this.#options.store.lease(
      this.#options.owner,
      LEASE_MS,
      this.#isStopping,
    );
    // The leases have ended meanwhile, and the endpoints may have been read too early.
    if (isRenewal && !this.#requireLease()) return true;
    granted();
    if (this.#isStopping) {
      this.#queues.keep(endpoints);
      return false;
    }
    // The rows are not read at one moment. A queue that ended meanwhile must not begin again with the settings from before.
    this.#queues.accept(endpoints.filter(({ endpoint, token }) => this.#lost.get(endpoint.id) !== token));
    await this.#unopened.observe(unopened, this.#options.clocks.wallMs());
    return false;
  }

  /** Whether this process certainly has its leases; otherwise all sending stops. */
  #requireLease(): boolean {
    if (this.#lease.leftMs() > 0) return true;
    this.#queues.dropAll();
    return false;
  }

  #checkLease(): boolean {
    this.#requireLease();
    return false;
  }

  async #report(): Promise<boolean> {
    await this.#reports.write();
    return false;
  }

  /** Another sender has the endpoint, or a change of it ended the queue. */
  #lose({ id, token }: Pick<EndpointPause, 'id' | 'token'>): void {
    this.#queues.drop(id, token);
    this.#lost.set(id, token);
    this.wake();
  }

  /** Apart from the reports, because a pause waits for the ledger, which an import may hold for minutes. */
  async #pause(): Promise<boolean> {
    const pauses = [...this.#pauses.values()].slice(0, MAX_PAUSES);
    if (pauses.length === 0) return false;
    const paused = new Set(await this.#options.store.pause(pauses));
    for (const pause of pauses) {
      if (this.#pauses.get(pause.id) === pause) this.#pauses.delete(pause.id);
      if (paused.has(pause.id)) this.#options.onPaused(pause.id, pause.reason);
      this.#lose(pause);
    }
    return this.#pauses.size > 0;
  }

  #addSkipped(): boolean {
    for (const queue of this.#queues) if (queue.hasSkipped) this.#reports.add(queue);
    return false;
  }
}
