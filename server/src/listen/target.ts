/** A path without any of these has no dot segment and no backslash. */
const SUSPICIOUS = /[\\%]|\/\./;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** The message for a path that programs interpret differently. */
export const AMBIGUOUS_PATH = 'Send a path without dot segments and backslashes.';

/**
 * Whether the path of a request target has a dot segment or a backslash, percent-encoded or not. Some programs resolve them
 * and others forward them, so a proxy could check another path than the service answers.
 */
export function isAmbiguous(target: string): boolean {
  if (!SUSPICIOUS.test(target)) return false;
  const path = target.split('?', 1)[0] as string;
  const decoded = path.replaceAll(/%2e/gi, '.').replaceAll(/%5c/gi, '\\');
  return decoded.includes('\\') || DOT_SEGMENT.test(decoded);
}
