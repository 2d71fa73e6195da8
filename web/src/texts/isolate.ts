import type { Texts } from './en.ts';

/** Letters of languages that are written from right to left, and marks that turn the direction of what follows. */
const MAY_TURN = /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** The sentences, in which a name turns nothing but itself: "6 → 7" after it must not be read as "7 → 6". */
export const isolateTexts = (texts: Texts): Texts => isolated(texts) as Texts;

function isolated(value: unknown): unknown {
  if (typeof value === 'function') return (...parts: readonly unknown[]) => value(...parts.map(isolatedPart));
  if (Array.isArray(value)) return value.map(isolated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isolated(member)]));
}

function isolatedPart(part: unknown): unknown {
  if (typeof part === 'string' && MAY_TURN.test(part)) return `\u2068${part}\u2069`;
  const isNamed =
    typeof part === 'object' && part !== null && Object.getPrototypeOf(part) === Object.prototype;
  return isNamed
    ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, isolatedPart(value)]))
    : part;
}
