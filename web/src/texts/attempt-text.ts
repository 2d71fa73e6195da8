import type { WebhookAttempt } from '../api/schemas.ts';
import type { Texts } from './en.ts';

/** Why an attempt failed, in the language of the texts; `undefined` for a success. */
export function attemptText(
  { statusCode, error, errorCode, errorDetail }: WebhookAttempt,
  { webhooks, errors }: Pick<Texts, 'webhooks' | 'errors'>,
): string | undefined {
  if (error === null) return undefined;
  if (statusCode !== null) {
    const isRedirect = statusCode >= 300 && statusCode < 400;
    return (isRedirect ? webhooks.redirected : webhooks.refused)(String(statusCode));
  }
  const codes: Readonly<Record<string, (detail: string) => string>> = webhooks.attemptErrors;
  // A later service may have codes that this page does not know.
  const text = Object.hasOwn(codes, errorCode ?? '') ? codes[errorCode ?? ''] : undefined;
  return text ? text(errorDetail ?? '') : errors.withDetail(webhooks.noUsableResponse, error);
}
