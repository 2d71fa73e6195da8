import { useEffect, useRef, useSyncExternalStore } from 'react';
import { handleAnswer, handleDoubt } from '../api/client.ts';
import { type LiveListener, type LiveStatus, MovementStream } from './movement-stream.ts';

export const movementStream = new MovementStream();
handleDoubt(() => void movementStream.check());
handleAnswer(() => movementStream.answered());

/** The state of the connection, for the live dot and the offline bar. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(movementStream.subscribeStatus, () => movementStream.status);
}

/** Reads what `useLiveMovements` keeps current: a stream that is live before misses nothing that is newer. */
export async function onceLive<T>(read: () => Promise<T>): Promise<T> {
  await movementStream.settled();
  return read();
}

/**
 * Reads immediately, and again if the stream was not live when the reading began: what changed between both is in no movement
 * of the stream.
 * @param again Called when the stream is live, which may be before the caller has the value; such as `readAgain`.
 */
export async function beforeLive<T>(read: () => Promise<T>, again: () => void): Promise<T> {
  const isEarly = movementStream.status.state === 'connecting';
  const value = await read();
  if (isEarly) {
    void movementStream.settled().then(() => {
      if (movementStream.status.state === 'live') again();
    });
  }
  return value;
}

/** Calls the listener for new movements while the component is mounted. */
export function useLiveMovements(listener: LiveListener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(
    () =>
      movementStream.subscribe({
        onMovements: (movements) => latest.current.onMovements?.(movements),
        onGap: () => latest.current.onGap?.(),
      }),
    [],
  );
}
