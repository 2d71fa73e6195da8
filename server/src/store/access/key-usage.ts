/** The shortest time between two records of one key. */
const EVERY_MS = 60_000;

export interface KeyUse {
  readonly keyId: string;
  readonly usedAtMs: number;
}

/** The times of last use that are not written yet. */
export class KeyUses {
  readonly #notedAtMs = new Map<string, number>();
  #unwritten = new Map<string, KeyUse>();

  note(keyId: string, nowMs: number): void {
    if (nowMs - (this.#notedAtMs.get(keyId) ?? 0) < EVERY_MS) return;
    this.#notedAtMs.set(keyId, nowMs);
    this.#unwritten.set(keyId, { keyId, usedAtMs: nowMs });
  }

  /** Takes the times to write. */
  take(): KeyUse[] {
    const uses = [...this.#unwritten.values()];
    this.#unwritten = new Map();
    return uses;
  }

  /** Takes back times that could not be written, except where a newer one was recorded since. */
  requeue(uses: readonly KeyUse[]): void {
    this.#unwritten = new Map([...uses.map((use) => [use.keyId, use] as const), ...this.#unwritten]);
  }
}
