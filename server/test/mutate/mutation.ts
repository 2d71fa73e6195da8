/** One edit of the service that is a defect, and the tests that must notice it. */
export interface Mutation {
  /** The fault of the service after the edit. */
  readonly name: string;
  /** From the root of the repository, as are the tests. */
  readonly file: string;
  /** A text that the file contains exactly once, and its replacement. */
  readonly from: string;
  readonly to: string;
  /** Test files, of which at least one must fail. */
  readonly tests: readonly string[];
}

/** Applies the edit to the text of its file. @throws Error when the text to replace is not there exactly once. */
export function mutated(source: string, { name, file, from, to }: Mutation): string {
  const found = source.split(from).length - 1;
  if (found !== 1) {
    throw new Error(`${name}: ${file} has the text ${JSON.stringify(from)} ${found} times, not once.`);
  }
  return source.replace(from, () => to);
}
