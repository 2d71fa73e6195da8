/** What is wrong in a file of pets. */
export interface FileFault {
  /** From 1; `null`: the whole file. */
  readonly line: number | null;
  /** From 1, in a JSON array, of which one line may hold many elements. */
  readonly element: number | null;
  /** The column or member; `null`: the whole row. */
  readonly field: string | null;
  /** A sentence. */
  readonly message: string;
}

/** Thrown where the rest of a file cannot be read after a fault. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
  readonly fault: FileFault;

  constructor(line: number | null, message: string) {
    super(message);
    this.fault = { line, element: null, field: null, message };
  }
}

/** No row of seven short fields needs more. It bounds memory, and the search for the end of a quote. */
export const MAX_ROW_BYTES = 65_536;

export const ROW_TOO_LONG = `the row that begins here has more than ${MAX_ROW_BYTES} bytes.`;
