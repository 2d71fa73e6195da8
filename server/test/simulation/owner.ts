import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../src/domain/errors.ts';
import { PETS } from './database.ts';
import type { Instance, World } from './instance.ts';
import type { Management } from './jobs.ts';
import { Life } from './scheduler.ts';

const AUTHOR = { actor: 'key_owner', requestId: null };
const PET_IDS = [...PETS.keys()];
const TIMEOUT_MS = 15_000;
const RETRY_MS = 300;
const LOOK_MS = 1_000;
/** Leases of runners that were killed end within a minute. */
const MAX_LOOKS = 240;
const ENDED = ['applied', 'undone', 'stale', 'cancelled', 'failed', 'invalid'];

/** The owner of the shop, who imports files, changes many pets together, and counts them, one after the other. */
export class Owner {
  readonly #world: World;
  readonly #instances: readonly Instance[];
  readonly #life = new Life();
  #working: Promise<void> | undefined;
  #counts = 0;

  constructor(world: World, instances: readonly Instance[]) {
    this.#world = world;
    this.#instances = instances;
  }

  /** Begins an import, a bulk change or a stock-take, unless one is in progress. */
  work(): void {
    if (this.#working) return;
    const { random } = this.#world.scheduler;
    const work = random.pick(['import', 'change', 'count'] as const);
    const working = { import: this.#import, change: this.#change, count: this.#countStock }[work].call(this);
    this.#working = working.finally(() => {
      this.#working = undefined;
    });
  }

  async done(): Promise<void> {
    await this.#working;
  }

  async #import(): Promise<void> {
    const { random } = this.#world.scheduler;
    const rows = this.#somePets().map((petId) => `${petId},${random.integer(0, 30)}`);
    const file = Buffer.from(['petId,quantity', ...rows, ''].join('\n'));
    const id = await this.#insist((management) => upload(management, file));
    if (id === undefined) return;
    const state = async ({ imports }: Management) => (await imports.find(id))?.state;
    if ((await this.#ended('planned', state)) !== 'planned') return this.#discard(id);
    await this.#hesitate();
    await this.#insist(({ imports }) => imports.apply(id, AUTHOR));
    if ((await this.#ended('applied', state)) === 'applied' && random.chance(0.7)) {
      await this.#hesitate();
      await this.#undoImport(id, random.chance(0.3));
    }
    await this.#discard(id);
  }

  /** @param isUndone Whether the undo is undone too. */
  async #undoImport(undone: string, isUndone: boolean): Promise<void> {
    const id = (await this.#insist(({ imports }) => imports.undo(undone, AUTHOR)))?.id;
    if (id === undefined) return;
    let changes = 0;
    const state = async ({ imports }: Management) => {
      const found = await imports.find(id);
      changes = found?.counts?.changed ?? 0;
      return found?.state;
    };
    if ((await this.#ended('planned', state)) !== 'planned') return this.#discard(id);
    // Reverts have taken its units back already: it is refused.
    if (changes === 0) return this.#discard(id);
    await this.#hesitate();
    await this.#insist(({ imports }) => imports.apply(id, AUTHOR));
    if ((await this.#ended('applied', state)) !== 'applied') return this.#discard(id);
    if (isUndone) await this.#undoImport(id, false);
    // Another page of the owner still offers it.
    if (this.#world.scheduler.random.chance(0.9)) await this.#undoImport(undone, false);
  }

  async #discard(id: string): Promise<void> {
    await this.#insist(({ imports }) => imports.cancel(id, AUTHOR));
  }

  async #change(): Promise<void> {
    const { random } = this.#world.scheduler;
    const selection = { petIds: this.#somePets() };
    const values = { status: random.pick(PET_STATUSES) };
    const made = await this.#insist(({ bulkChanges }) => bulkChanges.create(selection, values, AUTHOR));
    if (made === undefined) return;
    const state = async ({ bulkChanges }: Management) => (await bulkChanges.find(made.id)).state;
    if ((await this.#ended('planned', state)) !== 'planned') return;
    await this.#hesitate();
    await this.#insist(({ bulkChanges }) => bulkChanges.apply(made.id, AUTHOR));
    if ((await this.#ended('applied', state)) !== 'applied' || random.chance(0.5)) return;
    await this.#hesitate();
    await this.#insist(({ bulkChanges }) => bulkChanges.undo(made.id, AUTHOR));
    await this.#ended('undone', state);
  }

  /** Some pets are counted again, and one after the close or the cancel, which may be repeated. */
  async #countStock(): Promise<void> {
    const { random } = this.#world.scheduler;
    const take = { name: 'shelf', scope: {}, posting: random.pick(['at_count', 'at_close'] as const) };
    const made = await this.#insist(({ stocktakes }) => stocktakes.start(take, AUTHOR));
    if (made === undefined) return;
    for (const petId of [...this.#somePets(), ...this.#somePets()]) await this.#count(made.id, petId);
    await this.#hesitate();
    const end = random.chance(0.3) ? 'cancel' : 'close';
    const ended = await this.#insist(({ stocktakes }) => stocktakes[end](made.id, AUTHOR));
    if (random.chance(0.3)) await this.#count(made.id, random.pick(PET_IDS));
    // Another page of the owner still offers it.
    if (random.chance(0.3)) await this.#insist(({ stocktakes }) => stocktakes[end](made.id, AUTHOR));
    if (!ended || end === 'cancel' || random.chance(0.5)) return;
    await this.#hesitate();
    await this.#insist(({ stocktakes }) => stocktakes.undo(made.id, AUTHOR));
  }

  /** Each repetition has the same idempotency key. */
  async #count(id: string, petId: bigint): Promise<void> {
    const { scheduler, stocktakes: truth } = this.#world;
    this.#counts += 1;
    const note = `count ${this.#counts}`;
    const count = { petId, counted: scheduler.random.integer(0, 30), note, occurredAtMs: null };
    const author = { ...AUTHOR, actorName: 'owner' };
    const idempotency = { scope: note, fingerprint: note };
    const recorded = await this.#insist(({ stocktakes }) => stocktakes.count(id, count, author, idempotency));
    if (recorded) truth.acknowledged(note, recorded.sequence);
  }

  #somePets(): readonly bigint[] {
    const { random } = this.#world.scheduler;
    const from = random.integer(0, PET_IDS.length - 1);
    const count = random.integer(1, PET_IDS.length);
    return Array.from({ length: count }, (_, i) => PET_IDS[(from + i) % PET_IDS.length] as bigint);
  }

  /** Reads the preview, while others may change the stock. */
  #hesitate(): Promise<void> {
    const { scheduler } = this.#world;
    return scheduler.wait(scheduler.random.pick([0, 0, 50, 1_000]), 'the owner reads', this.#life);
  }

  /** Looks until a state is reached, or is no longer possible. */
  async #ended(
    wanted: string,
    read: (management: Management) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const { scheduler, violations } = this.#world;
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const state = await this.#insist(read);
      if (state === wanted || state === undefined || ENDED.includes(state)) return state;
      await scheduler.wait(LOOK_MS, 'the owner waits', this.#life);
    }
    violations.add(`An import or a bulk change never became ${wanted}.`);
    return undefined;
  }

  /** Repeats an action until it has an answer. `undefined`: it is refused, as an action is that was done before its answer was lost. */
  async #insist<T>(action: (management: Management) => Promise<T>): Promise<T | undefined> {
    const { scheduler } = this.#world;
    for (;;) {
      const instance = scheduler.random.pick(this.#instances);
      const { management } = instance;
      if (management) {
        const timeout = scheduler
          .wait(TIMEOUT_MS, 'the owner times out', this.#life)
          .then(() => false as const);
        const done = action(management).then(
          (result) => ({ result }),
          (error: unknown) => (error instanceof OperatorError ? { result: undefined } : (false as const)),
        );
        const outcome = await Promise.race([done, timeout]);
        if (outcome) {
          for (const one of this.#instances) one.wakeJobs();
          return outcome.result;
        }
      }
      await scheduler.wait(RETRY_MS, 'the owner tries again', this.#life);
    }
  }
}

/** A request with a file. The service ends an import whose file is not complete. */
async function upload({ imports }: Management, file: Uint8Array): Promise<string> {
  const id = await imports.begin({ format: 'csv', mode: 'set', fileName: 'stock.csv', actor: AUTHOR.actor });
  try {
    await imports.addPart(id, 0, file);
    await imports.complete(id, AUTHOR);
    return id;
  } catch (error) {
    await imports.abandon(id);
    throw error;
  }
}
