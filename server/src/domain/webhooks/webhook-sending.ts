import type { DeliveryAttempt, WebhookEndpoint } from './webhook-endpoint.ts';

/** What the interface and the management API need of the sending of webhooks. */
export interface WebhookSending {
  /** A sentence if a URL cannot be that of an endpoint. What its name resolves to is not checked. */
  urlFault(url: string): string | undefined;
  /** Called after a change of an endpoint, so that it has an effect immediately. */
  wake(): void;
  /**
   * Sends `webhook.test` once, past the queue of the endpoint.
   * @param secrets The secrets that sign now.
   * @throws OperatorError `conflict` while the account has its maximum of tests in progress.
   */
  sendTest(
    endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'accountId'>,
    secrets: readonly string[],
  ): Promise<Omit<DeliveryAttempt, 'number'>>;
}
