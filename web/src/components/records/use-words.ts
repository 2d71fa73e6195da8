import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { ADDRESS_DELAY_MS } from '../address-delay.ts';

/** A key that is pasted into a search must not be in the address, which the browser and proxies keep. */
const SECRET = /ps[ak]_|whsec_/;

/** What is searched for. It is in the address, so that a link shows the same, and stays while a drawer is open. */
export function useWords(): readonly [string, (words: string) => void] {
  const [search, setSearch] = useSearchParams();
  const inAddress = search.get('q') ?? '';
  const [words, setWords] = useState(inAddress);
  const kept = SECRET.test(words) ? '' : words;
  useEffect(() => {
    if (kept === inAddress) return;
    const write = () =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (kept === '') next.delete('q');
          else next.set('q', kept);
          return next;
        },
        { replace: true },
      );
    const timer = setTimeout(write, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [kept, inAddress, setSearch]);
  return [words, setWords];
}
