/** A key is noted at most so often. */
const EVERY_MS = 60_000;

export interface KeyUse {
  readonly keyId: string;
  readonly usedAtMs: number;
}

/** When keys were last used, until that is written down. */
export class KeyUses {
  readonly #notedAtMs = new Map<string, number>();
  #unwritten = new Map<string, KeyUse>();

  note(keyId: string, nowMs: number): void {
    if (nowMs - (this.#notedAtMs.get(keyId) ?? 0) < EVERY_MS) return;
    this.#notedAtMs.set(keyId, nowMs);
    this.#unwritten.set(keyId, { keyId, usedAtMs: nowMs });
  }

  /** What is to be written down now. */
  take(): KeyUse[] {
    const uses = [...this.#unwritten.values()];
    this.#unwritten = new Map();
    return uses;
  }

  /** Gives back what could not be written, unless it was noted again since. */
  requeue(uses: readonly KeyUse[]): void {
    this.#unwritten = new Map([...uses.map((use) => [use.keyId, use] as const), ...this.#unwritten]);
  }
}
