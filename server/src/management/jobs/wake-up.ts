/** Wakes a loop that waits. A call while the loop works counts for its next wait: its last look may have been before. */
export class WakeUp {
  #isCalled = false;
  #end: (() => void) | undefined;

  call(): void {
    this.#isCalled = true;
    this.#end?.();
  }

  /** Forgets the calls so far. Whatever they announced must be looked for after this. */
  reset(): void {
    this.#isCalled = false;
  }

  /** Resolves after a time, or with a call since the last reset. Returns whether there was a call. */
  within(timeoutMs: number): Promise<boolean> {
    if (this.#isCalled) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#end = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
