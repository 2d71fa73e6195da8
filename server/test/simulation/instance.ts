import type { Ban } from '../../src/domain/access/bans.ts';
import type { Principal } from '../../src/domain/access/principal.ts';
import type { StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import type { Admission } from '../../src/domain/store.ts';
import type { WriteOutcome, WriteRequest } from '../../src/domain/write-command.ts';
import { OrderExpiry } from '../../src/order-expiry.ts';
import { PendingBans } from '../../src/store/access/bans.ts';
import { notWritten } from '../../src/store/errors.ts';
import { decodeOutcome, type StoredOutcome } from '../../src/store/idempotency/records.ts';
import { OrderReader } from '../../src/store/orders/order-reader.ts';
import { SQLITE_ORDERS } from '../../src/store/orders/order-sql.ts';
import { DeferredWrites } from '../../src/store/sqlite/deferred-writes.ts';
import { MemoryLimits } from '../../src/store/sqlite/memory-limits.ts';
import { READ } from '../../src/store/sqlite/statements.ts';
import type { SavedCount } from '../../src/store/sqlite/writer-messages.ts';
import { WriterThread } from '../../src/store/sqlite/writer-thread.ts';
import { EventReader } from '../../src/store/webhooks/event-reader.ts';
import { SecretBox } from '../../src/store/webhooks/secret-box.ts';
import { SqlWebhookSenderStore } from '../../src/store/webhooks/sender-store.ts';
import { SqlWebhookStore } from '../../src/store/webhooks/webhook-store.ts';
import type { Wait } from '../../src/webhooks/periodic-task.ts';
import { RECORDED_DATA } from '../../src/webhooks/queues/event-source.ts';
import { POLL_INTERVAL_MS, Sender } from '../../src/webhooks/sender.ts';
import type { BanTruth } from './ban-truth.ts';
import type { ConnectionUse, SimulatedConnection } from './connection.ts';
import { HASTY, PEPPER, type SimulatedDatabase } from './database.ts';
import { Faults } from './faults.ts';
import type { JobTruth } from './job-truth.ts';
import { type Management, managementOn, SimulatedJobs } from './jobs.ts';
import type { LimitTruth } from './limit-truth.ts';
import type { Receivers } from './receivers.ts';
import { Life, type Scheduler } from './scheduler.ts';
import { SimulatedSession } from './session.ts';
import type { StocktakeTruth } from './stocktake-truth.ts';
import type { Truth } from './truth.ts';
import type { Violations } from './violations.ts';
import { recoverUnconfirmed, SimulatedDisk, SimulatedWriterThread } from './writer.ts';

const FLUSH_MS = 1_000;
const SENDER_BACKOFF_MS = 1_000;
const SENDER_STOP_MS = 10_000;
const JOBS_STOP_MS = 5_000;
const MAX_POLLS_LEFT_OUT = 20;

/** What all instances of a simulation share. */
export interface World {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly truth: Truth;
  readonly limits: LimitTruth;
  readonly bans: BanTruth;
  readonly jobs: JobTruth;
  readonly stocktakes: StocktakeTruth;
  readonly receivers: Receivers;
  readonly violations: Violations;
  readonly rules: StockRules;
  /** Whether no other instance writes, so that a batch that was not confirmed can come back. */
  readonly isAlone: boolean;
}

/** The parts of a running process. */
interface Running {
  readonly life: Life;
  readonly writer: WriterThread;
  readonly deferred: DeferredWrites;
  readonly memoryLimits: MemoryLimits;
  readonly pendingBans: PendingBans;
  readonly expiry: OrderExpiry;
  readonly webhooks: SqlWebhookStore;
  readonly management: Management;
  readonly jobs: SimulatedJobs;
  /** Settles when the jobs have stopped. */
  readonly working: Promise<void>;
  readonly close: () => void;
}

/** One instance of the service: the real parts on simulated threads, sessions and time. It is stopped, killed and started. */
export class Instance {
  readonly name: string;
  readonly faults: Faults;
  readonly #world: World;
  readonly #disk = new SimulatedDisk();
  /** How wrong the clock of its machine is. */
  readonly #machineErrorMs: number;
  #running: Running | undefined;
  #sender: Sender | undefined;
  #senders = 0;
  readonly #networks: Life[] = [];
  #isStopping = false;
  /** Whether counts could not be written during the stop. */
  #hasLostCounts = false;
  /** The sender that stops in order, and the one that has. */
  #stopping: string | undefined;
  #stopped: string | undefined;

  constructor(name: string, world: World) {
    this.name = name;
    this.#world = world;
    this.faults = new Faults(world.scheduler);
    this.#machineErrorMs = world.scheduler.random.integer(-7_200_000, 7_200_000);
  }

  /** Whether it responds to clients. */
  get isRunning(): boolean {
    if (!this.#running || this.#isStopping) return false;
    return this.#running.life.frozenUntilMs <= this.#world.scheduler.nowMs;
  }

  get webhooks(): SqlWebhookStore | undefined {
    return this.#running?.webhooks;
  }

  get management(): Management | undefined {
    return this.isRunning ? this.#running?.management : undefined;
  }

  wakeJobs(): void {
    this.#running?.jobs.wake();
  }

  async start(): Promise<void> {
    const { scheduler, truth, rules, isAlone, database, violations } = this.#world;
    if (isAlone) recoverUnconfirmed(this.#disk, () => database.connect('write'), rules, truth);
    // The other instances have the database open, so nothing reads the log.
    this.#disk.unconfirmed = undefined;
    const life = new Life();
    const connections: SimulatedConnection[] = [];
    const connect = (use: ConnectionUse): SimulatedConnection => {
      const connection = database.connect(use);
      connections.push(connection);
      return connection;
    };
    const threadOptions = {
      scheduler,
      faults: this.faults,
      life,
      name: `${this.name} writer`,
      witness: truth,
      violations,
    };
    const writer = await WriterThread.start({ file: '', rules }, () => undefined, {
      startWorker: (workerData) => {
        const options = { ...threadOptions, connect: () => connect('write') };
        return new SimulatedWriterThread(options, this.#disk, workerData);
      },
      clock: () => scheduler.nowMs,
      turn: (next) => scheduler.after(0, `${this.name} turn`, life, next),
    });
    const close = () => {
      for (const connection of connections) if (connection.isOpen) connection.close();
    };
    this.#running = {
      ...this.#parts(life, writer, connect('orders')),
      ...this.#startJobs(life, connect('manage'), connect('jobs')),
      close,
    };
    this.#running.expiry.start();
    this.#keepFlushing(this.#running);
    this.#startSender(life, connect('send'), connect('read events'));
  }

  /** Does nothing for a time, as after SIGSTOP and SIGCONT. */
  freeze(ms: number): void {
    this.#running?.life.freeze(this.#world.scheduler.nowMs + ms);
    this.faults.disturb(ms);
  }

  /** Ends immediately, at any moment of its work. */
  kill(): void {
    this.#running?.life.end();
    for (const network of this.#networks.splice(0)) network.end();
    this.#running?.close();
    this.#running = undefined;
    this.#sender = undefined;
    this.#isStopping = false;
  }

  /** Ends in order, as after SIGTERM. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#isStopping = true;
    this.#hasLostCounts = false;
    running.jobs.stop();
    await Promise.all([this.#stopSender(running.life), running.expiry.stop(), this.#stopJobs(running)]);
    await running.pendingBans.drain();
    await running.deferred.write();
    await running.writer.close();
    this.kill();
    if (this.isCounting && !this.#hasLostCounts) this.#world.limits.stopped();
    if (this.isCounting && this.faults.isOver) this.#world.bans.stopped();
  }

  /** Whether it counts the requests of the account: on SQLite, only one process does. */
  get isCounting(): boolean {
    return this.name === 'one';
  }

  admit(principal: Principal): Admission | undefined {
    const admission = this.#running?.memoryLimits.admit(principal, this.#world.scheduler.nowMs);
    if (admission) this.#world.limits.decided(admission);
    return admission;
  }

  /** Answers a client that does not wait, as the store of the service does. */
  async admitHasty(principal: Principal): Promise<void> {
    const running = this.#running;
    if (!running) return;
    const { bans, scheduler } = this.#world;
    const admission = running.memoryLimits.admit(principal, scheduler.nowMs);
    bans.decided(admission);
    bans.noteRefusal(await running.pendingBans.whenSaved(principal.key.id, admission));
  }

  /** As the store of the service does. */
  async write(request: WriteRequest): Promise<WriteOutcome> {
    const writer = this.#running?.writer;
    if (!writer) return new Promise(() => undefined);
    if (writer.fault !== undefined) throw notWritten(writer.fault);
    const reply = await writer.submit({ kind: 'changeStock', request });
    return decodeOutcome(reply as StoredOutcome);
  }

  wakeSender(): void {
    this.#sender?.wake();
  }

  /** A database that hangs ends the thread. */
  #stopJobs({ working, life }: Running): Promise<void> {
    return Promise.race([working, this.#world.scheduler.wait(JOBS_STOP_MS, `${this.name} stops`, life)]);
  }

  /** A sender can fail meanwhile, and its last report for longer than a stop takes. */
  #stopSender(life: Life): Promise<void> {
    const owner = `${this.name}-${this.#senders}`;
    this.#stopping = owner;
    const note = () => {
      this.#stopped = owner;
    };
    const stopping = this.#sender?.stop().then(note, () => undefined);
    const timeout = this.#world.scheduler.wait(SENDER_STOP_MS, `${this.name} stops`, life);
    return Promise.race([stopping, timeout]);
  }

  #startJobs(life: Life, managing: SimulatedConnection, working: SimulatedConnection) {
    const { scheduler, jobs: truth, stocktakes, rules } = this.#world;
    for (const connection of [managing, working]) {
      connection.onCommit = () => {
        // The commit overwrites it in the log.
        this.#disk.unconfirmed = undefined;
        stocktakes.committed();
        truth.committed();
      };
    }
    const options = { scheduler, faults: this.faults, life };
    const management = managementOn(managing, { ...options, name: `${this.name} management` }, rules);
    const jobs = new SimulatedJobs(working, { ...options, name: `${this.name} jobs` });
    return { management, jobs, working: jobs.run() };
  }

  #parts(life: Life, writer: WriterThread, connection: SimulatedConnection) {
    const { scheduler, violations, limits, bans, database } = this.#world;
    const session = this.#session(connection, life, 'orders');
    const orders = new OrderReader(
      (name, values) => session.all(SQLITE_ORDERS[name], values),
      () => scheduler.nowMs,
    );
    const store = { orders, write: (request: WriteRequest) => this.write(request) };
    const wait: Wait = (ms, signal) => scheduler.wait(ms, `${this.name} expiry`, life, [signal]);
    const elapsedMs = () => scheduler.nowMs;
    const expiry = new OrderExpiry(store, { onError: () => undefined, wait, elapsedMs });
    const counts = database.rows<SavedCount>(READ.usage);
    const [{ finished }] = database.rows<{ finished: number }>(READ.finishedMinutes) as [
      { finished: number },
    ];
    const pendingBans = new PendingBans(
      async (ban) => {
        await writer.submit({ kind: 'saveBan', ban });
      },
      () => bans.failed(),
    );
    const memoryLimits = new MemoryLimits({ counts, finished }, (ban) => {
      violations.require(ban.keyId === HASTY.key.id, () => 'A client that waits was banned.');
      pendingBans.save(ban);
    });
    memoryLimits.setBans(pendingBans.mergeWith(database.rows<Ban>(READ.bans)));
    if (this.isCounting) {
      limits.restarted();
      bans.restarted();
    }
    const deferred = new DeferredWrites(writer, memoryLimits, () => {
      this.#hasLostCounts = true;
    });
    const webhooks = new SqlWebhookStore(session, new SecretBox(() => PEPPER));
    return { life, writer, deferred, memoryLimits, pendingBans, expiry, webhooks };
  }

  #keepFlushing(running: Running): void {
    this.#world.scheduler.after(FLUSH_MS, `${this.name} flush`, running.life, () => {
      running.pendingBans.retry();
      void running.deferred.write();
      this.#keepFlushing(running);
    });
  }

  /** A sender that fails is started again, as the service starts its thread again. */
  #startSender(life: Life, writing: SimulatedConnection, reading: SimulatedConnection): void {
    const { scheduler, database } = this.#world;
    this.#senders += 1;
    const owner = `${this.name}-${this.#senders}`;
    const sending = new Life(life);
    const network = new Life();
    this.#networks.push(network);
    const restart = () => {
      if (!sending.isAlive) return;
      sending.end();
      network.end();
      this.#sender = undefined;
      scheduler.after(SENDER_BACKOFF_MS, `${owner} again`, life, () =>
        this.#startSender(life, writing, reading),
      );
    };
    const [store, reader] = [writing, reading].map((one) => this.#session(one, sending, owner)) as [
      SimulatedSession,
      SimulatedSession,
    ];
    const isStopping = () => this.#stopping === owner;
    const hasStopped = () => this.#stopped === owner;
    let seen = -1;
    const instance = { owner, life: sending, network, faults: this.faults, isStopping, hasStopped };
    Sender.start({
      owner: this.name,
      store: new SqlWebhookSenderStore(store, new SecretBox(() => PEPPER), (command) => command(store)),
      reader: new EventReader(reader),
      source: RECORDED_DATA,
      deliverer: {
        attempt: (dispatch) => {
          return this.#world.receivers.attempt(instance, dispatch);
        },
      },
      clocks: { wallMs: () => scheduler.nowMs, elapsedMs: () => scheduler.nowMs },
      machineMs: () => scheduler.nowMs + this.#machineErrorMs,
      random: () => scheduler.random.next(),
      wait: async (ms, signal) => {
        if (ms !== POLL_INTERVAL_MS) return scheduler.wait(ms, `${owner} waits`, sending, [signal]);
        await this.#waitForPoll(`${owner} polls`, seen, sending, signal);
        seen = database.commits;
      },
      onPaused: () => undefined,
      onUnopened: (id) => this.#world.violations.add(`The secret of ${id} does not open.`),
      onError: () => undefined,
      onFatal: restart,
    }).then((sender) => {
      this.#sender = sender;
    }, restart);
  }

  /**
   * Leaves out polls that would find nothing, because nothing is committed meanwhile, but not for long: they also find out
   * that the database does not respond.
   * @param seen The commits before the last poll.
   */
  async #waitForPoll(label: string, seen: number, life: Life, signal: AbortSignal): Promise<void> {
    const { scheduler, database } = this.#world;
    if (database.commits !== seen) return scheduler.wait(POLL_INTERVAL_MS, label, life, [signal]);
    const beganAtMs = scheduler.nowMs;
    const mostMs = POLL_INTERVAL_MS * scheduler.random.integer(1, MAX_POLLS_LEFT_OUT);
    const committed = new AbortController();
    // Without a reason, each abort makes an error with its stack.
    database.onNextCommit(() => committed.abort('committed'));
    await scheduler.wait(mostMs, label, life, [signal, committed.signal]);
    const pastMs = (scheduler.nowMs - beganAtMs) % POLL_INTERVAL_MS;
    if (pastMs > 0) await scheduler.wait(POLL_INTERVAL_MS - pastMs, label, life, [signal]);
  }

  #session(connection: SimulatedConnection, life: Life, name: string): SimulatedSession {
    const { scheduler } = this.#world;
    return new SimulatedSession(connection, {
      scheduler,
      faults: this.faults,
      life,
      name: `${this.name} ${name}`,
    });
  }
}
