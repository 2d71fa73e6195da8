import { STATUS_POLICIES } from '../../src/domain/inventory.ts';
import { SqlStocktakeStore } from '../../src/store/admin/stocktake-store.ts';
import { verifyDatabase } from '../../src/store/admin/verify.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { type ModelEvent, readEvents } from '../webhooks/simulation/model-events.ts';
import type { Value } from '../support/test-database.ts';
import { BanTruth } from './ban-truth.ts';
import { Clients } from './clients.ts';
import { SimulatedDatabase } from './database.ts';
import { Instance, type World } from './instance.ts';
import { JobTruth } from './job-truth.ts';
import { LimitTruth } from './limit-truth.ts';
import { Owner } from './owner.ts';
import { Receivers } from './receivers.ts';
import { Life, Scheduler } from './scheduler.ts';
import { StocktakeTruth } from './stocktake-truth.ts';
import { Truth } from './truth.ts';
import { Violations } from './violations.ts';

const AUTHOR = { actor: 'key_owner', requestId: null };
const NAMES = ['one', 'two', 'three'];
/** Everything that waits for a retry is done by then. */
const MAX_ROUNDS = 120;

/** What a simulation reports. */
export interface SimulationResult {
  readonly traceHash: string;
  readonly events: number;
  readonly movements: number;
}

/** One run: random commands, faults and restarts, and then the checks. */
export class Simulation {
  readonly #world: World;
  readonly #instances: readonly Instance[];
  readonly #clients: Clients;
  readonly #owner: Owner;

  /** @throws Error with the seed and the step at which something was wrong. */
  static async run(seed: number, steps: number): Promise<SimulationResult> {
    const database = await SimulatedDatabase.make();
    const simulation = new Simulation(seed, database);
    let step = 0;
    try {
      await simulation.#start();
      for (; step < steps; step += 1) await simulation.#step();
      return await simulation.#finish();
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`seed ${seed}, step ${step}: ${message}`, { cause: error });
    } finally {
      for (const instance of simulation.#instances) instance.kill();
    }
  }

  private constructor(seed: number, database: SimulatedDatabase) {
    const scheduler = new Scheduler(seed);
    const violations = new Violations();
    const { random } = scheduler;
    const rules = { statusPolicy: random.pick(STATUS_POLICIES), maxQuantity: 60, orderHoldMs: 8_000 };
    const limits = new LimitTruth(scheduler, violations);
    const bans = new BanTruth(scheduler, violations);
    const truth = new Truth(rules, scheduler, violations, (write) => {
      if (write.kind === 'saveCounts') limits.saved(write.counts);
      if (write.kind === 'saveBan') bans.saved(write.ban);
    });
    const receivers = new Receivers(scheduler, violations, (id) => database.cursorOf(id));
    const count = random.integer(1, NAMES.length);
    this.#world = {
      scheduler,
      database,
      truth,
      limits,
      bans,
      jobs: new JobTruth(database, truth, violations),
      stocktakes: new StocktakeTruth(database, truth, violations),
      receivers,
      violations,
      rules,
      isAlone: count === 1,
    };
    this.#instances = NAMES.slice(0, count).map((name) => new Instance(name, this.#world));
    this.#clients = new Clients(this.#world, this.#instances);
    this.#owner = new Owner(this.#world, this.#instances);
  }

  async #start(): Promise<void> {
    await this.#world.scheduler.until(Promise.all(this.#instances.map((instance) => instance.start())));
  }

  async #step(): Promise<void> {
    const { scheduler, violations } = this.#world;
    const { random } = scheduler;
    const dice = random.next();
    if (dice < 0.73) this.#clients.send();
    else if (dice < 0.74) this.#owner.work();
    else if (dice < 0.75) this.#clients.read();
    else if (dice < 0.76) this.#clients.hurry();
    else if (dice < 0.96) await scheduler.pass(random.pick([1, 10, 50, 200, 500]));
    else if (dice < 0.98) await this.#changeEndpoint();
    else await this.#disturb(random.pick(this.#instances));
    violations.throwFirst();
  }

  async #disturb(instance: Instance): Promise<void> {
    const { scheduler } = this.#world;
    const { random } = scheduler;
    const dice = random.next();
    if (dice < 0.2) instance.faults.beginOutage(random.pick([500, 3_000, 20_000]));
    else if (dice < 0.3) instance.faults.beginHang(random.pick([3_000, 20_000]));
    else if (dice < 0.4) instance.freeze(random.pick([3_000, 20_000]));
    else if (dice < 0.45) instance.faults.beginSlowness(random.pick([3_000, 20_000]));
    else if (dice < 0.6) await this.#world.scheduler.until(this.#restart(instance));
    else await this.#world.scheduler.until(this.#killAndStart(instance));
  }

  async #restart(instance: Instance): Promise<void> {
    await instance.stop();
    await instance.start();
  }

  async #killAndStart(instance: Instance): Promise<void> {
    const { scheduler } = this.#world;
    instance.kill();
    await scheduler.wait(scheduler.random.pick([0, 100, 5_000, 20_000]), 'killed', new Life());
    await instance.start();
  }

  /** The owner of an endpoint pauses, resumes or replays it. */
  async #changeEndpoint(): Promise<void> {
    const { scheduler, receivers, truth, database } = this.#world;
    const { random } = scheduler;
    const instance = random.pick(this.#instances);
    const id = random.pick(receivers.ids);
    const { webhooks } = instance;
    if (!webhooks) return;
    receivers.change(id);
    const change = random.pick(['pause', 'resume', 'resume', 'replay'] as const);
    scheduler.note(`${change} ${id}`);
    const sequence = random.integer(0, truth.sequence);
    const after = { sequence: Math.min(sequence, database.cursorOf(id).sequence), number: 0 };
    const isReplayed = change === 'replay' ? receivers.replay(id, after) : () => undefined;
    const changing = change === 'replay' ? webhooks.replay(id, after, AUTHOR) : webhooks[change](id, AUTHOR);
    // The answer may be lost.
    await this.#world.scheduler.until(changing.then(isReplayed, () => undefined));
    receivers.change(id);
    instance.wakeSender();
  }

  /** Ends all faults, lets everything be done, stops, and compares. */
  async #finish(): Promise<SimulationResult> {
    const { scheduler, violations, truth, receivers, database } = this.#world;
    for (const { faults } of this.#instances) faults.end();
    receivers.isHealthy = true;
    await this.#world.scheduler.until(Promise.all([this.#clients.done(), this.#owner.done()]));
    await this.#mendEndpoints();
    // All orders without a decision expire, and cursors past events that do not match are written.
    await scheduler.pass(22_000);
    violations.require(truth.overdue(scheduler.nowMs - 5_000) === 0, () => 'An order did not expire.');
    const events = await this.#events();
    for (let round = 0; round < MAX_ROUNDS && !receivers.isComplete(events); round += 1)
      await scheduler.pass(1_000);
    await this.#world.scheduler.until(Promise.all(this.#instances.map((instance) => instance.stop())));
    truth.compare(database);
    receivers.check(await this.#events());
    this.#checkCursors();
    await this.#verify();
    violations.throwFirst();
    const { happened } = scheduler;
    return { traceHash: scheduler.traceHash(), events: happened, movements: truth.model.entries.length };
  }

  /** The owner of each endpoint has it continue immediately. */
  async #mendEndpoints(): Promise<void> {
    const { receivers } = this.#world;
    const instance = this.#instances[0] as Instance;
    for (const id of receivers.ids) {
      receivers.change(id);
      await this.#world.scheduler.until(Promise.resolve(instance.webhooks?.pause(id, AUTHOR)));
      await this.#world.scheduler.until(Promise.resolve(instance.webhooks?.resume(id, AUTHOR)));
      for (const one of this.#instances) one.wakeSender();
    }
  }

  #checkCursors(): void {
    const { database, violations, truth } = this.#world;
    const sql = 'SELECT id, cursor_sequence AS sequence FROM webhook_endpoints';
    for (const { id, sequence } of database.rows<{ id: string; sequence: number }>(sql)) {
      const isDone = sequence === truth.sequence;
      violations.require(isDone, () => `The cursor of ${id} is ${sequence} of ${truth.sequence}.`);
    }
  }

  #events(): Promise<readonly ModelEvent[]> {
    const { database } = this.#world;
    const rows = async (sql: string) =>
      database.rows<Record<string, Value>>(bigintSafe(sql)).map((row) => Object.values(row));
    return readEvents({ rows });
  }

  /** Recomputes every hash, every balance and every reservation. */
  async #verify(): Promise<void> {
    const engine = new SqliteAdminEngine(this.#world.database.connect('verify').asDatabase(), 'simulation');
    const { faults } = await verifyDatabase(engine);
    await this.#world.stocktakes.compare(new SqlStocktakeStore(engine, this.#world.rules));
    await engine.close();
    for (const fault of faults) this.#world.violations.add(`verify: ${fault}`);
  }
}

/** A petId that no number can hold is read as text. */
function bigintSafe(sql: string): string {
  return sql.replace('pet_id,', 'CAST(pet_id AS text) AS pet_id,');
}
