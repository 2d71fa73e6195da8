import { useEffect } from 'react';
import { loadAllCode } from './late-code.ts';

/** The first page and its data come before. */
const PAUSE_MS = 2_000;

/**
 * Loads the code of all pages while the browser is idle.
 * @param isConnected Another value tries again what failed.
 */
export function useAllCode(isConnected: boolean): void {
  useEffect(() => {
    if (!isConnected) return;
    let isCurrent = true;
    const pause = async () => {
      await idle();
      return isCurrent;
    };
    const timer = setTimeout(() => void loadAllCode(pause), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isConnected]);
}

function idle(): Promise<void> {
  const { requestIdleCallback } = globalThis as { requestIdleCallback?: (callback: () => void) => void };
  return new Promise((resolve) => {
    if (requestIdleCallback) requestIdleCallback(() => resolve());
    // Some versions of Safari have no such callback.
    else setTimeout(resolve, 50);
  });
}
