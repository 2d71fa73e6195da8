import type { AnyKey } from './keys-api.ts';

const WHOLE_KEY = /^ps[ak]_(?:live|test)_[0-9A-Za-z]{10,}$/;

/** Whether a key matches what was typed: words, or a whole key, of which the hint has the beginning and the end. */
export function matchesKey({ id, name, hint }: AnyKey, typed: string, account = ''): boolean {
  const words = typed.trim();
  if (WHOLE_KEY.test(words)) return hint === `${words.slice(0, 9)}…${words.slice(-4)}`;
  return `${name}\n${id}\n${hint}\n${account}`.toLowerCase().includes(words.toLowerCase());
}
