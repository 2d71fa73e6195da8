/** Results of an attempt, for metrics. */
export const DELIVERY_RESULTS = ['delivered', 'status', 'timeout', 'network', 'refused'] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Why an attempt has no response. Its message is a sentence for the owner of the endpoint. */
export class DeliveryError extends Error {
  readonly result: DeliveryResult;

  constructor(result: DeliveryResult, message: string) {
    super(message);
    this.result = result;
  }
}
