import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

interface LongWork<T> {
  readonly startedAtMs: number;
  /** Set when the work ends. */
  readonly result?: T;
  readonly error?: unknown;
}

/** Work that takes minutes. It continues while the person is on other pages, and its result stays until the sign-out. */
export function useLongWork<T>(name: string) {
  const key = ['system', 'work', name];
  const queries = useQueryClient();
  const { data: work } = useQuery<LongWork<T> | null>({
    queryKey: key,
    queryFn: () => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const isRunning = work != null && work.result === undefined && work.error === undefined;
  const seconds = useSeconds(isRunning ? work.startedAtMs : undefined);
  const run = (task: () => Promise<T>) => {
    const startedAtMs = Date.now();
    queries.setQueryData<LongWork<T>>(key, { startedAtMs });
    task().then(
      (result) => queries.setQueryData<LongWork<T>>(key, { startedAtMs, result }),
      (error: unknown) => queries.setQueryData<LongWork<T>>(key, { startedAtMs, error }),
    );
  };
  return { run, isRunning, seconds, result: work?.result, error: work?.error };
}

/** How many seconds have passed since a moment. */
function useSeconds(sinceMs: number | undefined): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    if (sinceMs === undefined) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return sinceMs === undefined ? 0 : Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));
}
