/** Words that a pet is found by. */
const MAX_WORDS = 16;
/** Characters of a word that count. */
const MAX_CHARACTERS = 32;
/** A longer query is refused, or cut: a character has at most two code units. */
export const MAX_QUERY_CHARACTERS = 200;

const WORD = /[\p{L}\p{N}]+/gu;
/** Words of ASCII text in lower case, found in a third of the time. */
const ASCII_WORD = /[a-z0-9]+/g;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** The two texts of a pet that search reads. */
export interface PetTexts {
  readonly name: string | null;
  readonly category: string | null;
}

/** The words that a pet is found by, each one once. */
export function petWords({ name, category }: PetTexts): readonly string[] {
  return distinctWords(`${name ?? ''} ${category ?? ''}`);
}

/** The words of a query. Each must be the beginning of a word of the pet. */
export function queryWords(query: string): readonly string[] {
  return longestWords(distinctWords(query.slice(0, 2 * MAX_QUERY_CHARACTERS)));
}

/** The words without those that begin another one of them: a pet with the longer one matches both. */
function longestWords(words: readonly string[]): readonly string[] {
  const distinct = [...new Set(words)];
  return distinct.filter((word) => !distinct.some((other) => other !== word && other.startsWith(word)));
}

/** Whether a pet with these words matches a query. */
export function matchesQuery(words: readonly string[], query: readonly string[]): boolean {
  return query.every((prefix) => words.some((word) => word.startsWith(prefix)));
}

/** The runs of letters and digits of a text, in lower case and without marks. Takes time linear in its length. */
function distinctWords(text: string): string[] {
  const words: string[] = [];
  for (const run of runsOf(text)) {
    const word = run.length <= MAX_CHARACTERS ? run : firstCharacters(run);
    if (!words.includes(word)) words.push(word);
    if (words.length === MAX_WORDS) break;
  }
  return words;
}

function runsOf(text: string): readonly string[] {
  const isAscii = ASCII.test(text);
  return (isAscii ? text.toLowerCase().match(ASCII_WORD) : folded(text).match(WORD)) ?? [];
}

/**
 * One spelling for texts that people take for the same: `Äpfel` and `apfel`, `STRASSE` and `Straße`. Upper case first,
 * because some letters have two in lower case.
 */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(MARKS, '').toUpperCase().toLowerCase();
  // Lower case of sigma depends on its place, which a prefix does not know.
  return plain.normalize('NFKD').replace(MARKS, '').replaceAll('ς', 'σ');
}

function firstCharacters(run: string): string {
  return [...run].slice(0, MAX_CHARACTERS).join('');
}

/** The words that new texts of a pet add to the search index, and those that they remove. */
export function wordChanges(
  before: PetTexts,
  after: PetTexts,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const now = petWords(after);
  if (before.name === null && before.category === null) return { added: now, removed: [] };
  const old = petWords(before);
  return {
    added: now.filter((word) => !old.includes(word)),
    removed: old.filter((word) => !now.includes(word)),
  };
}
