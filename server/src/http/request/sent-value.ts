import { shownValue } from '@petstore-inventory/shared/shown-value';

/** A key or a secret of this service. A response must not repeat one that came in a wrong place. */
const SECRET = /ps[ak]_(?:live|test)_|whsec_/;
const MAX_SHOWN = 60;

/** What was sent, as the sentence after the rule that it breaks, with a space before it; empty where it is not shown. */
export function sentValue(value: unknown): string {
  if (typeof value === 'string') return sentText(value);
  if (Array.isArray(value)) return ` It is an array of length ${value.length}.`;
  if (typeof value === 'object' && value !== null) return ' It is an object.';
  // JavaScript may have rounded it, so the client may have sent another number. NaN stands for one that `parseJson` kept from being rounded.
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return '';
  return ` It is ${String(value)}.`;
}

function sentText(text: string): string {
  if (SECRET.test(text)) return '';
  if (text.length > MAX_SHOWN) return ` It has ${[...text].length} characters.`;
  return ` It is ${shownValue(text)}.`;
}
