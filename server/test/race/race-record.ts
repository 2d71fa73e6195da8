import type { History, Operation, Outcome } from './checker/history.ts';
import type { MovementJson } from './checker/movement-pages.ts';
import type { ItemJson, Part, ReceivedList } from './requests.ts';

const MAX_MOVEMENTS = 60;

/** One try or more of one request, all that is known of it. */
export interface RequestTrace {
  readonly client: string;
  readonly actor: string;
  readonly invokedAtMs: number;
  readonly requestIds: readonly string[];
  /** That of the answer, where it was no repetition of an earlier one. */
  readonly requestId: string | undefined;
}

/** The observations of all clients of a race, for the examination afterwards. */
export class RaceRecord {
  readonly lists: ReceivedList[] = [];
  /** Faults that clients observed, one sentence each. */
  readonly faults: string[] = [];
  readonly counts = new Map<string, number>();
  /** The parts of each atomic batch. */
  readonly atomicBatches: (readonly Part[])[] = [];
  /** Movements that clients may revert, the newest last. */
  readonly movements: MovementJson[] = [];
  readonly #initial: ReadonlyMap<bigint, ItemJson>;
  readonly #operations = new Map<bigint, Operation[]>();
  readonly #namedBy = new Map<string, string>();

  constructor(initial: readonly ItemJson[]) {
    this.#initial = new Map(initial.map((item) => [item.petId, item]));
    for (const { petId } of initial) this.#operations.set(petId, []);
  }

  get petIds(): readonly bigint[] {
    return [...this.#initial.keys()];
  }

  note({ petId, action, mark }: Part, outcome: Outcome, trace: RequestTrace): void {
    const { requestId, ...rest } = trace;
    this.#operations.get(petId)?.push({
      ...rest,
      returnedAtMs: performance.now(),
      action,
      outcome,
      ...(mark === undefined ? {} : { idempotencyKey: mark }),
      ...(requestId === undefined ? {} : { requestId }),
    });
    this.count(`${action.kind} ${outcome.result}`);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  noteMovement(movement: MovementJson): void {
    this.movements.push(movement);
    if (this.movements.length > MAX_MOVEMENTS) this.movements.shift();
  }

  /** An entity tag names one version of one pet, and each version has one tag. */
  noteTag(petId: bigint, version: number, tag: string): void {
    const item = `version ${version} of pet ${petId}`;
    for (const [one, other] of [
      [tag, item],
      [item, tag],
    ] as const) {
      const known = this.#namedBy.get(one);
      if (known !== undefined && known !== other) this.faults.push(`${one} goes with ${known} and ${other}.`);
      this.#namedBy.set(one, other);
    }
  }

  histories(): History[] {
    return [...this.#initial.values()].map(({ petId, quantity, status, version = 1 }) => ({
      petId,
      initial: { quantity, status, version },
      operations: this.#operations.get(petId) ?? [],
    }));
  }
}
