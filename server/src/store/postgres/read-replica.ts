import type { QueryResultRow } from 'pg';
import type { Connection, Statement } from './connection.ts';

/** A replica that takes longer is of no use to who waits: the other server would have answered. */
const ANSWER_WITHIN_MS = 1_000;
/** For so long after it failed or was late, nobody waits for it again. */
const REST_AFTER_FAILURE_MS = 5_000;

/** A server whose trouble is nobody's trouble: who does not get an answer asks the other one. */
export class ReadReplica {
  readonly #connection: Connection;
  #restsUntilMs = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** What `use` makes of the rows; `undefined` where it takes them for too old, or none came. */
  async ask<Row, T>(
    statement: Statement,
    values: readonly unknown[],
    use: (rows: readonly Row[]) => T | undefined,
  ): Promise<T | undefined> {
    if (performance.now() < this.#restsUntilMs) return undefined;
    try {
      return use(await inTime(this.#connection.read<Row & QueryResultRow>(statement, values)));
    } catch {
      this.#restsUntilMs = performance.now() + REST_AFTER_FAILURE_MS;
      return undefined;
    }
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The replica did not answer in time.')), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
