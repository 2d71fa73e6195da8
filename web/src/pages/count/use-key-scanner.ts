import { useEffect, useRef } from 'react';
import { ScanBurst } from './scan-burst.ts';

interface Handlers {
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
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
      const found = burst.press(event.key, event.timeStamp);
      if (found === 'begin') latest.current.onBegin();
      if (typeof found !== 'object') return;
      // Before all other listeners: Enter would save or choose something.
      event.preventDefault();
      event.stopImmediatePropagation();
      latest.current.onCode(found.code);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
