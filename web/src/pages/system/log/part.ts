/** A piece of a sentence. A value is set apart from the words, because it can be of another direction. */
export interface Part {
  readonly text: string;
  readonly isValue?: boolean;
  /** The page of what the piece names. */
  readonly href?: string;
}
