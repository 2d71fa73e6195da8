import type { Session } from './session-api.ts';

/** Then nothing of the shop stays in the tab. */
const MAX_PAUSE_MS = 900_000;

/** The time between the end of a session and the next sign-in, while the pages wait. */
export interface Pause {
  readonly keyId: string;
  /** Whether the same person signed in again. */
  readonly ended: Promise<boolean>;
  end(isBack: boolean): void;
}

export function newPause({ keyId }: Session, onTooLong: () => void): Pause {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(onTooLong, MAX_PAUSE_MS);
  const end = (isBack: boolean) => {
    clearTimeout(timer);
    resolve(isBack);
  };
  return { keyId, ended: promise, end };
}
