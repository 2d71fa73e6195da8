/** Listeners for commits. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  get hasAny(): boolean {
    return this.#listeners.size > 0;
  }

  /** Returns the function that removes the listener. */
  add(listener: () => void): () => void {
    // Wrapped, so that the same function can be added twice and each removed on its own.
    const one = (): void => listener();
    this.#listeners.add(one);
    return () => this.#listeners.delete(one);
  }

  wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
