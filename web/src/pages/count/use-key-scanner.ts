import { useEffect, useRef } from 'react';
import { MIN_CODE, QUIET_MS, ScanBurst } from './scan-burst.ts';

interface Handlers {
  /** Whether digits are a quantity now, outside of a field. */
  readonly isCounting: boolean;
  /** The first key of what may be a code: the moment to return to, because keys change what is typed. */
  readonly onBegin: () => void;
  readonly onCode: (code: string) => void;
}

/** Listens for a hand scanner, wherever the focus is. */
export function useKeyScanner(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const burst = new ScanBurst();
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const onQuiet = () => {
      const found = burst.rest();
      if (found) latest.current.onCode(found.code);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
      const isQuantity = latest.current.isCounting && !(event.target instanceof HTMLInputElement);
      const shortest = isQuantity ? MIN_CODE : 1;
      const found = burst.press(event.key, event.timeStamp, shortest);
      clearTimeout(quiet);
      quiet = setTimeout(onQuiet, QUIET_MS);
      if (found === 'begin') latest.current.onBegin();
      if (typeof found !== 'object') return;
      // Before all other listeners: Enter would save or choose something.
      event.preventDefault();
      event.stopImmediatePropagation();
      latest.current.onCode(found.code);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      clearTimeout(quiet);
      window.removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, []);
}
