/** The shortest time between two records of one credential. */
const EVERY_MS = 60_000;
/** Sessions come and go. Those forgotten are recorded again earlier. */
const MAX_NOTED = 100_000;

/** A use of a key or a session. */
export interface CredentialUse {
  readonly id: string;
  readonly usedAtMs: number;
}

/** The times of last use that are not written yet. */
export class CredentialUses {
  readonly #notedAtMs = new Map<string, number>();
  #unwritten = new Map<string, CredentialUse>();

  note(id: string, nowMs: number): void {
    // A time of a clock that was ahead, and is right now, must not hide the uses until that time has come.
    if (Math.abs(nowMs - (this.#notedAtMs.get(id) ?? 0)) < EVERY_MS) return;
    if (this.#notedAtMs.size >= MAX_NOTED) this.#notedAtMs.clear();
    this.#notedAtMs.set(id, nowMs);
    this.#unwritten.set(id, { id, usedAtMs: nowMs });
  }

  /** Takes the times to write. */
  take(): CredentialUse[] {
    const uses = [...this.#unwritten.values()];
    this.#unwritten = new Map();
    return uses;
  }

  /** Takes back times that could not be written, except where a newer one was recorded since. */
  requeue(uses: readonly CredentialUse[]): void {
    this.#unwritten = new Map([...uses.map((use) => [use.id, use] as const), ...this.#unwritten]);
  }
}
