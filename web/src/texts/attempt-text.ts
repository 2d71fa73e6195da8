import type { WebhookAttempt } from '../api/schemas.ts';
import type { Texts } from './en.ts';

/** Why an attempt failed, in the language of the texts; `undefined` for a success. */
export function attemptText(
  { statusCode, error }: Pick<WebhookAttempt, 'statusCode' | 'error'>,
  { webhooks, errors }: Pick<Texts, 'webhooks' | 'errors'>,
): string | undefined {
  if (error === null) return undefined;
  // Without a response, only the service knows the reason, such as a name or a certificate.
  if (statusCode === null) return errors.withDetail(webhooks.noUsableResponse, error);
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return (isRedirect ? webhooks.redirected : webhooks.refused)(String(statusCode));
}
