export type * from './api/schemas.ts';
export { ApiPromise, type ApiResponse, PagePromise } from './api-promise.ts';
export type { Catalog, Code } from './catalog.ts';
export type { Clock } from './clock.ts';
export { type ClientErrorCode, type ErrorDetails, type PetInTheWay, PetstoreError } from './errors.ts';
export type { RateLimitState, RateLimits } from './limits/rate-limits.ts';
export type {
  ClientOptions,
  ConditionalOptions,
  ConditionalWriteOptions,
  RequestOptions,
  StreamOptions,
  WriteOptions,
} from './options.ts';
export { toPetId } from './pet-id.ts';
export { PetstoreClient } from './petstore-client.ts';
export { type InventoryChange, LiveInventory } from './stream/live-inventory.ts';
export { VERSION } from './version.ts';
export {
  type AccountEventType,
  type InventoryEventType,
  type OrderEventType,
  verifyWebhook,
  type WebhookEvent,
  type WebhookMessage,
} from './webhooks.ts';
