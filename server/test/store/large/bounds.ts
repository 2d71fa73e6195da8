import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const GROWING = new URL('../../../../docs/growing.md', import.meta.url);
/** A row of the table: the operation, and its limit in seconds on SQLite and on PostgreSQL. */
const ROW = /^\| `(?<name>[^`]+)`(?<variant>[^|]*) \| (?<sqlite>[\d.]+|-) \| (?<postgres>[\d.]+|-) \|$/gm;

export type Engine = 'SQLite' | 'PostgreSQL';

/** The documented bounds: seconds for an operation or a command with 1,000,000 pets, 1,000,000 orders and 6,000,000 movements. */
export class Bounds {
  readonly #rows = new Map<string, Record<Engine, string>>();
  readonly #used = new Set<string>();

  constructor() {
    const section =
      /## What large data takes\n[\s\S]*?(?=\n## )/.exec(readFileSync(GROWING, 'utf8'))?.[0] ?? '';
    for (const { groups } of section.matchAll(ROW)) {
      const { name, variant, sqlite = '-', postgres = '-' } = groups as Record<string, string>;
      this.#rows.set(`${name}${variant}`, { SQLite: sqlite, PostgreSQL: postgres });
    }
    assert.ok(this.#rows.size > 30, `docs/growing.md has ${this.#rows.size} bounds`);
  }

  secondsOf(what: string, engine: Engine): number {
    const seconds = Number(this.#rows.get(what)?.[engine]);
    assert.ok(seconds > 0, `docs/growing.md has no bound for ${what} on ${engine}`);
    this.#used.add(`${what} ${engine}`);
    return seconds;
  }

  /** The rows of an engine that nothing was measured against. */
  unused(engine: Engine): string[] {
    const rows = [...this.#rows].filter(([what, seconds]) => {
      return seconds[engine] !== '-' && !this.#used.has(`${what} ${engine}`);
    });
    return rows.map(([what]) => what);
  }
}
