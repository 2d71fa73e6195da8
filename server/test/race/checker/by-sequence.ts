import { type History, knownAt, type Operation } from './history.ts';
import { explain, type State, stateOf } from './register.ts';
import { describeOperation, describeRegister, type Refutation, type Verdict } from './verdict.ts';

/**
 * Checks linearizability when the movement of each operation is known. It is cheaper than a search because it tries
 * only the order of the ledger, and stricter for the same reason.
 *
 * The order of the movements must agree with time and explain every answer. Each operation without a movement must fit
 * between two movements, between its invocation and its answer, and must not see an older state than an operation that
 * returned before it.
 *
 * An operation without a sequence recorded nothing, or is unknown and never took effect; `accountFor` adds the
 * sequences that answers omit.
 */
export function checkBySequence(history: History): Verdict {
  const effects = history.operations
    .filter(isEffect)
    .toSorted((a, b) => a.outcome.sequence - b.outcome.sequence);
  const states: State[] = [stateOf(history.initial)];
  let newestInvoked: Operation | undefined;
  for (const [index, effect] of effects.entries()) {
    if (effect.outcome.sequence === effects[index - 1]?.outcome.sequence)
      return refuted(history, effect, 'shares its movement with another operation');
    if (newestInvoked && isBefore(effect, newestInvoked))
      return refuted(
        history,
        effect,
        `had returned before an earlier movement was requested: ${describeOperation(newestInvoked)}`,
      );
    if (!newestInvoked || effect.invokedAtMs > newestInvoked.invokedAtMs) newestInvoked = effect;
    const after = explain(states[index]!, effect);
    if (!after) return refuted(history, effect, `does not follow from ${describeRegister(states[index]!)}`);
    states.push(after);
  }
  return placeOperations(history, effects, states);
}

type Effect = Operation & { readonly outcome: { readonly sequence: number } };

function isEffect(operation: Operation): operation is Effect {
  const { outcome } = operation;
  return (outcome.result === 'done' || outcome.result === 'unknown') && typeof outcome.sequence === 'number';
}

/**
 * Puts each operation that recorded nothing at the first state that explains it. As every rule between two of them
 * only forbids to be earlier than another, the first one is the best choice for all others.
 */
function placeOperations(history: History, effects: readonly Effect[], states: readonly State[]): Verdict {
  const others = history.operations
    .filter(({ outcome }) => outcome.result === 'done' || outcome.result === 'refused')
    .filter((operation) => !isEffect(operation))
    .toSorted((a, b) => a.invokedAtMs - b.invokedAtMs);
  const bounds = new Bounds(effects);
  const placed: Operation[][] = states.map(() => []);
  for (const operation of others) {
    const { from, until } = bounds.of(operation);
    const span = states.slice(from, until + 1);
    const offset = span.findIndex((state) => fitsInto(state, operation));
    if (offset === -1) return refuted(history, operation, describeSpan(span));
    placed[from + offset]!.push(operation);
    bounds.note(operation, from + offset);
  }
  const witness = placed.flatMap((here, index) => [...(index === 0 ? [] : [effects[index - 1]!]), ...here]);
  return { isLinearizable: true, witness };
}

/** The states that an operation may have seen. State i follows i movements. Call `of` in the order of invocation. */
class Bounds {
  /** The movements by invocation. */
  readonly #effects: readonly { readonly effect: Effect; readonly at: number }[];
  readonly #untilBeside: readonly number[];
  readonly #last: number;
  #passed = 0;
  /** Operations that ran at the last invocation, with the oldest state that may be seen after each has returned. */
  #running: { readonly operation: Operation; readonly at: number }[] = [];
  #from = 0;

  constructor(effects: readonly Effect[]) {
    this.#effects = effects
      .map((effect, index) => ({ effect, at: index + 1 }))
      .toSorted((a, b) => a.effect.invokedAtMs - b.effect.invokedAtMs);
    this.#last = effects.length;
    let until = this.#last;
    this.#untilBeside = this.#effects
      .toReversed()
      .map(({ at }) => {
        until = Math.min(until, at - 1);
        return until;
      })
      .reverse();
  }

  of(operation: Operation): { from: number; until: number } {
    for (let next = this.#effects[this.#passed]; next && next.effect.invokedAtMs <= operation.invokedAtMs;) {
      this.note(next.effect, next.at);
      this.#passed += 1;
      next = this.#effects[this.#passed];
    }
    for (const { at, operation: other } of this.#running)
      if (isBefore(other, operation)) this.#from = Math.max(this.#from, at);
    this.#running = this.#running.filter(({ operation: other }) => !isBefore(other, operation));
    let later = this.#passed;
    while (later < this.#last && !isBefore(operation, this.#effects[later]!.effect)) later += 1;
    return { from: this.#from, until: this.#untilBeside[later] ?? this.#last };
  }

  /** Records the state that an operation saw or made. */
  note(operation: Operation, at: number): void {
    if (operation.outcome.result !== 'unknown') this.#running.push({ operation, at });
  }
}

/** Whether an operation that recorded nothing can have seen this state. */
function fitsInto(state: State, operation: Operation): boolean {
  return explain(state, operation) === state;
}

/** Whether one operation returned before the other was invoked. An operation without an answer never returned. */
function isBefore(one: Operation, other: Operation): boolean {
  return one.outcome.result !== 'unknown' && one.returnedAtMs < other.invokedAtMs;
}

function refuted(history: History, operation: Operation, why: string): Refutation {
  const message = `Pet ${history.petId}: ${describeOperation(operation)}\n  ${why}`;
  const isUnknown = operation.outcome.result === 'unknown';
  const prefix = isUnknown ? history : knownAt(history, operation.returnedAtMs);
  return { isLinearizable: false, stuck: operation, prefix, message };
}

function describeSpan(states: readonly State[]): string {
  if (states.length === 0) return 'saw less than an earlier operation had seen';
  return `was true at none of the times it may have seen: ${states.map(describeRegister).join('; ')}`;
}
