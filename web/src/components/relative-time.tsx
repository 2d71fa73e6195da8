import { useSyncExternalStore } from 'react';
import { serviceNow } from '../api/service-clock.ts';
import { useFormat } from '../texts/texts-context.tsx';
import styles from './values.module.css';

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let nowMs = serviceNow();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times of the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = serviceNow();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time in milliseconds, to the quarter of a minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs);

/** A time such as "4 min. ago", with the exact one on hover. */
export function RelativeTime({ at }: { at: string }) {
  const format = useFormat();
  const moment = new Date(at);
  // A moment that is newer than the last tick is not in the future.
  const now = Math.max(useNow(), Math.min(moment.getTime(), serviceNow()));
  return (
    <time className={styles.time} dateTime={at} title={format.dateTime(moment)}>
      {format.relative(moment, now)}
    </time>
  );
}
