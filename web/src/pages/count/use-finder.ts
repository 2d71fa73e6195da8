import { useState } from 'react';
import type { StockList, StockSnapshot } from '../../stock/stock-list.ts';
import type { StockRow } from '../../stock/stock-row.ts';
import type { StockStore } from '../../stock/stock-store.ts';
import { petIdOf } from './scan-burst.ts';

const SHOWN = 6;

/** Pets by name or id, found in the browser. A pet with exactly this id comes first. */
export function useFinder(store: StockStore, list: StockList, snapshot: StockSnapshot) {
  const [words, set] = useState('');
  const setWords = (next: string) => {
    set(next);
    list.setQuery({ ...list.query, words: next });
  };
  const found: StockRow[] = [];
  if (words.trim() !== '') {
    const exact = store.find(petIdOf(words.trim()) ?? '');
    if (exact) found.push(exact);
    for (const index of snapshot.shown) {
      if (found.length >= SHOWN) break;
      const row = store.at(index);
      if (row !== exact) found.push(row);
    }
  }
  return { words, found, setWords };
}
