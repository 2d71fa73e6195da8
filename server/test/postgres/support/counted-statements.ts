import type { TestContext } from 'node:test';
import pg from 'pg';

/** Background statements: the regular poll of the database and the writes with it. No request causes them. */
const OF_NO_REQUEST = new Set([
  ...['state', 'bans', 'saveKeyUses', 'deleteIdempotencyRecords', 'probe', 'server'],
  ...['unreportedBans', 'reachedQuotas', 'purgeUsage'],
]);

/** Counts the statements that this process sends, by name or text, until the test ends. */
export class CountedStatements {
  #names: string[] = [];
  #open = 0;
  #waits = 0;

  constructor(t: Pick<TestContext, 'after'>) {
    const { query } = pg.Client.prototype;
    const note = (statement: unknown) => this.#note(statement);
    const noteEnd = () => {
      this.#open -= 1;
    };
    pg.Client.prototype.query = function counted(this: pg.Client, ...words: unknown[]) {
      note(words[0]);
      const sent = Reflect.apply(query, this, words) as Promise<pg.QueryArrayResult>;
      Promise.resolve(sent).then(noteEnd, noteEnd);
      return sent;
    };
    t.after(() => {
      pg.Client.prototype.query = query;
    });
  }

  /** The statements since the last call, in order. */
  take(): string[] {
    const names = this.#names;
    this.#names = [];
    return names.filter((name) => !OF_NO_REQUEST.has(name));
  }

  /** How often this process waited for a server since the last call: for statements that are sent together once. */
  takeWaits(): number {
    const waits = this.#waits;
    this.#waits = 0;
    return waits;
  }

  /** How often a statement was sent since then, also one of no request. */
  countOf(name: string): number {
    return this.#names.filter((sent) => sent === name).length;
  }

  #note(statement: unknown): void {
    const { name, text } =
      typeof statement === 'string' ? { text: statement } : (statement as pg.QueryConfig);
    this.#names.push(name ?? text);
    if (this.#open === 0) this.#waits += 1;
    this.#open += 1;
  }
}
