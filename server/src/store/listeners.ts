/** Those who want to hear that there may be news. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  get hasAny(): boolean {
    return this.#listeners.size > 0;
  }

  /** Returns what ends the listening. */
  add(listener: () => void): () => void {
    // Wrapped, so that who listens twice can end each on its own.
    const one = (): void => listener();
    this.#listeners.add(one);
    return () => this.#listeners.delete(one);
  }

  wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
