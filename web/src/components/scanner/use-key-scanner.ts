import { useEffect, useRef } from 'react';
import { QUIET_MS, ScanBurst } from './scan-burst.ts';

interface Handlers {
  /** `false` while a dialog takes the keys. */
  readonly isActive: boolean;
  /** The shortest code, by the element that has the focus: where digits are a quantity, more characters. */
  readonly minLength: (target: EventTarget | null) => number;
  /** The first key of what may be a code: the moment to return to, because keys change what is typed. */
  readonly onBegin?: () => void;
  /** @param code As the scanner sent it. */
  readonly onCode: (code: string) => void;
}

/** Listens for a hand scanner, wherever the focus is. A field in which the code was typed gets its text back. */
export function useKeyScanner(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const burst = new ScanBurst();
    let quiet: ReturnType<typeof setTimeout> | undefined;
    let restore = () => {};
    const end = (code: string) => {
      restore();
      latest.current.onCode(code);
    };
    const onQuiet = () => {
      const found = burst.rest();
      if (found && latest.current.isActive) end(found.code);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { isActive, minLength, onBegin } = latest.current;
      if (!isActive || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.isComposing || event.repeat) return;
      const found = burst.press(event.key, event.timeStamp, minLength(event.target));
      clearTimeout(quiet);
      quiet = setTimeout(onQuiet, QUIET_MS);
      if (found === 'begin') {
        restore = textOf(event.target);
        onBegin?.();
      }
      if (found === undefined || found === 'begin') return;
      // Before all other listeners: Enter would save or choose something.
      event.preventDefault();
      event.stopImmediatePropagation();
      if (found !== 'suffix') end(found.code);
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      clearTimeout(quiet);
      window.removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, []);
}

/** @returns What gives a field its present text back. */
function textOf(field: EventTarget | null): () => void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return () => {};
  const { value } = field;
  return () => {
    if (!field.isConnected || field.value === value) return;
    // React replaces the property on the element, and would miss the change.
    const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
