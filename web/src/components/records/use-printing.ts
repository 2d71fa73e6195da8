import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows on paper: about 100 sheets. */
export const MAX_PRINTED = 5_000;

/** Whether the page is being printed, by a key of the browser too. */
export function usePrinting(): boolean {
  const [media] = useState(() => window.matchMedia('print'));
  const [isPrinting, setPrinting] = useState(media.matches);
  useEffect(() => {
    // The browser takes the page as it is right after the event.
    const change = (isNow: boolean) => flushSync(() => setPrinting(isNow));
    const before = () => change(true);
    const after = () => change(false);
    const onMedia = ({ matches }: MediaQueryListEvent) => change(matches);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    media.addEventListener('change', onMedia);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
      media.removeEventListener('change', onMedia);
    };
  }, [media]);
  return isPrinting;
}
