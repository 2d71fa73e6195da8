import { toleratedStrikes } from '../../src/domain/access/bans.ts';
import type { Principal } from '../../src/domain/access/principal.ts';
import type { WriteRequest } from '../../src/domain/write-command.ts';
import { randomCommand } from './commands.ts';
import { ACCOUNT, HASTY } from './database.ts';
import type { Instance, World } from './instance.ts';
import { Life } from './scheduler.ts';

const PRINCIPAL = { key: { id: 'key_client' }, account: ACCOUNT } as unknown as Principal;
const HASTY_PRINCIPAL = HASTY as unknown as Principal;
const MAX_TRIES = 4;
const MAX_READS = 200;
const TIMEOUT_MS = 5_000;
/** Only an error with this text leaves it unknown whether the change was made. */
const UNCONFIRMED = /could not be confirmed/;

/** The clients of a shop, behind a network that loses and doubles requests, and loses responses. */
export class Clients {
  readonly #world: World;
  readonly #instances: readonly Instance[];
  readonly #life = new Life();
  readonly #working = new Set<Promise<void>>();
  #requests = 0;
  /** A client waits as `Retry-After` says. */
  #retryAtMs = 0;

  constructor(world: World, instances: readonly Instance[]) {
    this.#world = world;
    this.#instances = instances;
  }

  /** Sends a random command, and does not wait for it. A command with an idempotency key is repeated until its response arrives. */
  send(): void {
    const { scheduler, truth } = this.#world;
    const { random } = scheduler;
    const command = randomCommand(random, truth, scheduler.nowMs);
    this.#requests += 1;
    const id = `request-${this.#requests}`;
    const idempotency = random.chance(0.6) ? { scope: id, fingerprint: id } : undefined;
    const working = this.#send({ command, idempotency }, id).finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** Sends many requests that change nothing, which the limits count. */
  read(): void {
    const instance = this.#instances.find(({ isCounting, isRunning }) => isCounting && isRunning);
    for (let left = MAX_READS; instance && left > 0 && this.#isAdmitted(instance); left -= 1);
  }

  /** Sends requests that change nothing, by a key whose client does not wait for `Retry-After`. */
  hurry(): void {
    const working = this.#hurry().finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  /** Resolves when no client waits any more. */
  async done(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  async #hurry(): Promise<void> {
    const { perMinute } = HASTY.account.limits;
    // The first ones use the minute up, and the others are strikes, or come too early for that.
    const bursts = [perMinute + 1, toleratedStrikes(perMinute) - 1, 1, 1, 1];
    for (const burst of bursts) {
      const instance = this.#instances.find(({ isCounting, isRunning }) => isCounting && isRunning);
      for (let left = burst; instance && left > 0; left -= 1) void instance.admitHasty(HASTY_PRINCIPAL);
      const pauseMs = this.#world.scheduler.random.pick([100, 1_100, 1_100, 1_100]);
      await this.#world.scheduler.wait(pauseMs, 'in haste', this.#life);
    }
  }

  async #send(request: Omit<WriteRequest, 'author'>, id: string): Promise<void> {
    const { random } = this.#world.scheduler;
    const tries = request.idempotency ? MAX_TRIES : 1;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const isDoubled = request.idempotency !== undefined && random.chance(0.05);
      const sent = Array.from({ length: isDoubled ? 2 : 1 }, (_, i) =>
        this.#try(request, `${id}-${attempt}-${i}`),
      );
      if ((await Promise.all(sent)).includes(true)) return;
    }
  }

  /** Returns whether the client got a result. */
  async #try(request: Omit<WriteRequest, 'author'>, requestId: string): Promise<boolean> {
    const { scheduler, truth } = this.#world;
    const { random } = scheduler;
    await scheduler.wait(random.integer(0, 30), `${requestId} sent`, this.#life);
    const instance = random.pick(this.#instances);
    if (!instance.isRunning || random.chance(0.02)) return false;
    if (instance.isCounting && !this.#isAdmitted(instance)) return false;
    const author = { actor: 'key_client', actorName: 'client', requestId, atMs: scheduler.nowMs };
    const full: WriteRequest = { ...request, author };
    const isLost = random.chance(0.03);
    const timeout = scheduler.wait(TIMEOUT_MS, `${requestId} times out`, this.#life).then(() => false);
    const writing = instance.write(full).then(
      (outcome) => {
        truth.acknowledged(full, outcome);
        scheduler.note(`${requestId} ${outcome.kind}`);
        return !isLost;
      },
      (error: Error) => {
        if (!UNCONFIRMED.test(error.message)) truth.refused(full);
        scheduler.note(`${requestId} ${error.message}`);
        return false;
      },
    );
    return Promise.race([writing, timeout]);
  }

  #isAdmitted(instance: Instance): boolean {
    if (this.#world.scheduler.nowMs < this.#retryAtMs) return false;
    const admission = instance.admit(PRINCIPAL);
    this.#retryAtMs = admission?.refusal?.retryAtMs ?? 0;
    return admission !== undefined && !admission.refusal;
  }
}
