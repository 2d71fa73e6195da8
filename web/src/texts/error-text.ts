import { operationOf } from './conflicting-operations.ts';
import type { Texts } from './en.ts';
import { refusalFacts } from './refusal-facts.ts';

/** Codes whose message names the field, what is in the way, or whether a change was made. */
const DETAILED: ReadonlySet<string> = new Set([
  'validation_failed',
  'invalid_parameter',
  'conflict',
  'insufficient_stock',
  'code_in_use',
  'insufficient_scope',
  'unsupported_media_type',
  'body_too_large',
  'history_pruned',
  'service_unavailable',
]);

/**
 * Why something failed, in the language of the texts: the only place that shows a message of the service.
 * @param error An `ApiError`, or anything else with `code` and `message`.
 */
export function errorText(error: unknown, { codes, conflict, facts, withDetail }: Texts['errors']): string {
  const { code, message, request, headers } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string') return codes.unexpected;
  const operation = code === 'conflict' && typeof request === 'string' ? operationOf(request) : undefined;
  const reason = operation && conflict(operation);
  if (reason !== undefined) return reason;
  const detail = typeof message === 'string' ? message : '';
  // A later service may have codes that this page does not know.
  const isKnown = Object.hasOwn(codes, code);
  const text = isKnown ? codes[code as keyof typeof codes] : codes.refused;
  const found = headers instanceof Headers ? refusalFacts(code, headers) : undefined;
  const more = found && facts(found);
  if (more !== undefined) return `${text} ${more}`;
  return detail !== '' && (!isKnown || DETAILED.has(code)) ? withDetail(text, detail) : text;
}
