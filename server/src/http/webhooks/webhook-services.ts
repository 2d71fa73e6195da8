import type { WebhookSending } from '../../domain/webhooks/webhook-sending.ts';
import type { WebhookStore } from '../../domain/webhooks/webhook-store.ts';
import type { RequestContext } from '../request/request-context.ts';

/** What the handlers of webhook endpoints need. */
export interface WebhookServices {
  readonly management: { readonly webhooks: WebhookStore };
  readonly webhooks: WebhookSending;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

/** The account whose endpoints a request may use; `undefined`: all accounts. */
export type OwnerOf = (context: RequestContext) => string | undefined;

/** The account of the caller. */
export function callerAccount({ principal }: RequestContext): string {
  return principal?.account.id ?? '';
}

/** The author of a change by a request. */
export function authorOf({ principal, requestId }: RequestContext) {
  return { actor: principal?.key.id ?? '', requestId };
}

/** The result of a change, after which the sender of this process reads the endpoints. */
export async function changed<T>({ webhooks }: WebhookServices, action: Promise<T>): Promise<T> {
  const result = await action;
  webhooks.wake();
  return result;
}
