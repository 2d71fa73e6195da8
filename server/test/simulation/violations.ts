/** What a simulation found to be wrong. An error that is thrown could be caught by the code under test. */
export class Violations {
  readonly #found: string[] = [];

  add(sentence: string): void {
    this.#found.push(sentence);
  }

  require(isRight: boolean, sentence: () => string): void {
    if (!isRight) this.add(sentence());
  }

  /** @throws Error with the first violation. */
  throwFirst(): void {
    const [first] = this.#found;
    if (first !== undefined) throw new Error(first);
  }
}
