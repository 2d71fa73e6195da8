/** A path without any of these has no dot segment and no backslash. */
const SUSPICIOUS = /[\\%]|\/\./;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** What is wrong with a target whose path programs read in different ways. */
export const AMBIGUOUS_PATH = 'Send a path without dot segments and backslashes.';

/**
 * Whether the path of a request target has a dot segment or a backslash, percent-encoded or not. Some programs resolve them
 * and others pass them on, so a proxy would judge another path than the one that is answered.
 */
export function isAmbiguous(target: string): boolean {
  if (!SUSPICIOUS.test(target)) return false;
  const path = target.split('?', 1)[0] as string;
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%5c/gi, '\\');
  return decoded.includes('\\') || DOT_SEGMENT.test(decoded);
}
