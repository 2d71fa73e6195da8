import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { pageName, writeAddressLater } from '../address-delay.ts';

/** A key that is pasted into a search must not be in the address, which the browser and proxies keep. */
const SECRET = /ps[ak]_|whsec_/;

const addressOf = (words: string): string => (SECRET.test(words) ? '' : words);

/**
 * The words of the search. They are in the address, so that a link shows the same. They stay while a drawer is open: links
 * have no words, and each address that a link leads to gets those of the field. Back and Forward lead to an address that
 * has its own words, which the field takes.
 */
export function useWords(): readonly [string, (words: string) => void] {
  const [search, setSearch] = useSearchParams();
  const inAddress = search.get('q') ?? '';
  const [words, setWords] = useState(inAddress);
  const kept = addressOf(words);
  /** Whether the person has typed words that no address has yet. Back must not replace them. */
  const isTyping = useRef(false);
  useEffect(() => {
    if (kept === inAddress) {
      isTyping.current = false;
      return;
    }
    const write = () => {
      isTyping.current = false;
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (kept === '') next.delete('q');
          else next.set('q', kept);
          return next;
        },
        { replace: true },
      );
    };
    return writeAddressLater(write);
  }, [kept, inAddress, setSearch]);
  useEffect(() => {
    const page = pageName();
    const followAddress = () => {
      if (isTyping.current || pageName() !== page) return;
      const after = new URLSearchParams(location.search).get('q') ?? '';
      setWords((before) => (addressOf(before) === after ? before : after));
    };
    addEventListener('popstate', followAddress);
    return () => removeEventListener('popstate', followAddress);
  }, []);
  return [
    words,
    (typed) => {
      isTyping.current = true;
      setWords(typed);
    },
  ];
}
