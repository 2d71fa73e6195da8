/** The longest query that is read, and the most words of it: a longer one finds nothing better. */
const MAX_QUERY = 200;
const MAX_TERMS = 12;

/** Words that every text has, and those of questions. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do does for from has have how i in is it its my of on or that the this to what when where which with you your'.split(
    ' ',
  ),
);

/** Words of people for words of the guides, both in their shortest form. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  '429': ['limit'],
  csv: ['file', 'pet'],
  cursor: ['page'],
  docker: ['image', 'container'],
  duplicate: ['repeat', 'idempotency'],
  excel: ['csv', 'file', 'pet'],
  expire: ['expiry'],
  forgot: ['lost', 'login', 'sign'],
  forgotten: ['lost', 'login', 'sign'],
  haproxy: ['proxy'],
  hmac: ['signature'],
  idempotency: ['repeat'],
  login: ['sign'],
  nginx: ['proxy'],
  pagination: ['page', 'list'],
  password: ['key'],
  quota: ['limit'],
  rate: ['limit'],
  recount: ['count'],
  restore: ['backup'],
  retry: ['repeat', 'again'],
  signature: ['receive'],
  spreadsheet: ['csv', 'file'],
  sse: ['stream'],
  stocktaking: ['count'],
  throttle: ['limit'],
  token: ['key'],
  undo: ['revert'],
  update: ['upgrade'],
  upgrade: ['release'],
  upgrading: ['upgrade'],
};

/**
 * The words of a text. An identifier is itself and its parts: `insufficient_stock` is also `insufficient` and `stock`,
 * `adjustInventory` also `adjust` and `inventory`.
 */
export function termsOf(text: string): string[] {
  const joined = text
    .replaceAll(/\bback(?:s|ed|ing)? up\b/giu, 'backup')
    .replaceAll(/\bsign(?:s|ed|ing)?[ -]in\b/giu, 'sign in login');
  const words = joined.match(/[\p{L}\p{N}]+(?:[_.'’/-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.flatMap((word) => {
    const parts = word.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u);
    // Variables, metrics and alerts begin with the name of the service.
    const all = parts.length > 1 ? [word, ...parts.filter((part) => !/^petstore$/i.test(part))] : parts;
    return all.map(shortestForm).filter((term) => term !== '' && !STOP_WORDS.has(term));
  });
}

/** Without the endings of plurals and verbs, as far as that is safe: both the index and the query lose them. */
function shortestForm(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$/u, '');
  if (/[^a-z]/.test(lower) || lower.length < 4) return lower;
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|z)es$/.test(lower)) return lower.slice(0, -2);
  if (lower.endsWith('s') && !/(?:ss|us|is)$/.test(lower)) return lower.slice(0, -1);
  return lower;
}

/** The words of a query, at most as many as are worth it. */
export function queryTerms(query: string): string[] {
  return [...new Set(termsOf(query.slice(0, MAX_QUERY)))].slice(0, MAX_TERMS);
}

/** Other words for a word. */
export const synonymsOf = (term: string): readonly string[] =>
  Object.hasOwn(SYNONYMS, term) ? (SYNONYMS[term] ?? []) : [];
