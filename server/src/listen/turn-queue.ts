import type { IncomingMessage, ServerResponse } from 'node:http';
import { holdSteps } from '../process/turn.ts';

type Start = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** How long requests start in one turn. The rest waits for the next turns, in which the listener accepts and reads. */
const TURN_BUDGET_MS = 4;
/** Requests between two looks at the clock. A list of 30,000 pets takes 3 ms. */
const STARTED_TOGETHER = 4;
/**
 * How long turns that accept a connection start no request, and continue no long task. libuv accepts one connection per turn, so a
 * probe behind 300 new connections would wait for 300 turns of work. Then a turn works, however many connections arrive.
 */
const ACCEPT_BUDGET_MS = 8;
/** Connections that a turn accepts in any case: on a busy machine time passes while the process waits for a processor. */
const ACCEPTED_TOGETHER = 64;
/** Probes start first: they are cheap, and a busy service that is restarted for a late response is busier. */
const PROBES = new Set(['/healthz', '/readyz']);
const LONGEST_PROBE = 8;
const NONE: readonly Exchange[] = [];

/**
 * Starts the requests of one turn of the event loop together, after the last of them is read. A store that looks up
 * its head once per turn then serves each of them from a head read after its arrival (DECISIONS.md). Under overload a
 * turn has more requests than it can start; these wait in their order.
 */
export class TurnQueue {
  readonly #start: Start;
  readonly #clock: () => number;
  readonly #probes: Exchange[] = [];
  #arrived: Exchange[] = [];
  /** Requests that start in this turn or a later one, from `#next` on. */
  #late: readonly Exchange[] = NONE;
  #next = 0;
  #isScheduled = false;
  /** Whether a connection was accepted in this turn. */
  #hasAccepted = false;
  /** The connections that turns accepted which did nothing else. */
  #accepted = 0;
  /** When the first of these turns was that accepted connections and did nothing else. */
  #acceptingSinceMs: number | undefined;

  constructor(start: Start, clock = () => performance.now()) {
    this.#start = start;
    this.#clock = clock;
  }

  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    (isProbe(incoming) ? this.#probes : this.#arrived).push({ incoming, outgoing });
    this.#schedule();
  }

  /** Called for each new connection: more may wait to be accepted. */
  noteConnection(): void {
    this.#hasAccepted = true;
    this.#acceptingSinceMs ??= this.#clock();
    this.#accepted += 1;
    if (this.#mayAccept()) holdSteps();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startTurn();
    });
  }

  #startTurn(): void {
    for (const probe of this.#probes.splice(0)) this.#startOne(probe);
    this.#late =
      this.#next < this.#late.length ? [...this.#late.slice(this.#next), ...this.#arrived] : this.#arrived;
    this.#arrived = [];
    this.#next = 0;
    if (this.#isAccepting()) return this.#schedule();
    const endsAtMs = this.#clock() + TURN_BUDGET_MS;
    while (this.#next < this.#late.length) {
      const end = Math.min(this.#next + STARTED_TOGETHER, this.#late.length);
      while (this.#next < end) this.#startOne(this.#late[this.#next++] as Exchange);
      if (this.#next < this.#late.length && this.#clock() >= endsAtMs) return this.#schedule();
    }
    this.#late = NONE;
  }

  /** Whether this turn only accepts. */
  #isAccepting(): boolean {
    if (this.#hasAccepted && this.#mayAccept()) {
      this.#hasAccepted = false;
      return this.#late.length > 0;
    }
    this.#hasAccepted = false;
    this.#acceptingSinceMs = undefined;
    this.#accepted = 0;
    return false;
  }

  #mayAccept(): boolean {
    const sinceMs = this.#acceptingSinceMs ?? 0;
    return this.#accepted <= ACCEPTED_TOGETHER || this.#clock() - sinceMs < ACCEPT_BUDGET_MS;
  }

  #startOne({ incoming, outgoing }: Exchange): void {
    // An ended socket has its last answer: the parser refused what followed the head of the request.
    if (!incoming.socket.writableEnded) this.#start(incoming, outgoing);
  }
}

/** Compares the length first, because each request passes here. */
export function isProbe({ url }: IncomingMessage): boolean {
  return url !== undefined && url.length <= LONGEST_PROBE && PROBES.has(url);
}
