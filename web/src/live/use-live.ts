import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type LiveListener, type LiveStatus, MovementStream } from './movement-stream.ts';

export const movementStream = new MovementStream();

/** The state of the connection, for the live dot and the offline bar. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(movementStream.subscribeStatus, () => movementStream.status);
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
