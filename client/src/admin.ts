export { AdminClient } from './admin/admin-client.ts';
export type * from './api/admin/schemas.ts';
export { ApiPromise, type ApiResponse, PagePromise } from './api-promise.ts';
export { type ClientErrorCode, type ErrorDetails, type PetInTheWay, PetstoreError } from './errors.ts';
export type { RateLimitState, RateLimits } from './limits/rate-limits.ts';
export type {
  ClientOptions,
  ConditionalOptions,
  ConditionalWriteOptions,
  ExportedFile,
  FileOptions,
  RequestOptions,
  SentFile,
  StreamOptions,
  WriteOptions,
} from './options.ts';
export { toPetId } from './pet-id.ts';
export { VERSION } from './version.ts';
