import type { Readable, Writable } from 'node:stream';

/** Where a command prints. */
export type OutputStream = Writable & { readonly isTTY?: boolean };

/** The surroundings of a command line. Tests replace them. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly fetch: typeof globalThis.fetch;
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
}
