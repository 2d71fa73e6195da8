import type { Operation } from '../conflicting-operations.ts';
import type { RefusalFacts } from '../refusal-facts.ts';

/** Why something did not work, by the error codes of the API. Codes in `DETAILED` have a message that says more. */
export const errors = {
  codes: {
    malformed_request: 'The service could not read the request. Load the page again.',
    malformed_json: 'The service could not read the request. Load the page again.',
    validation_failed: 'A field has a value that is not allowed.',
    invalid_parameter: 'The address or a filter has a value that is not allowed.',
    invalid_idempotency_key: 'The service could not read the request. Load the page again.',
    missing_api_key: 'You are not signed in.',
    invalid_api_key: 'This key does not work.',
    expired_api_key: 'Your key has expired. Ask an administrator for another one.',
    revoked_api_key: 'Your key was revoked. Ask an administrator for another one.',
    session_ended: 'Your session has ended. Sign in again.',
    insufficient_scope: 'Your role does not allow this.',
    cross_site_request:
      'The service refused the request because it seems to come from another site. Open the dashboard at its own address.',
    insecure_connection: 'The service accepts this only over HTTPS.',
    not_found: 'It does not exist any more.',
    route_not_found: 'The service does not know this request. Load the page again.',
    method_not_allowed: 'The service does not know this request. Load the page again.',
    not_acceptable: 'The service could not read the request. Load the page again.',
    request_timeout: 'The request took too long to arrive. Try again.',
    conflict: 'The present state does not allow it. It may have been changed meanwhile.',
    code_in_use: 'Another pet has this code.',
    idempotency_in_progress: 'The same change is still being made. Wait a moment.',
    insufficient_stock: 'There are not enough units, or orders have reserved them.',
    invalid_transition: 'The order is in a state that does not allow this step.',
    operation_sunset: 'The service does not offer this any more. Load the page again.',
    history_pruned: 'This part of the history was deleted.',
    disk_full: 'The disk of the service is full. Ask the operator to free space.',
    precondition_failed: 'It was changed meanwhile. Look at the present state first.',
    body_too_large: 'It is more than the service accepts.',
    unsupported_media_type: 'The service does not accept this kind of file.',
    idempotency_key_reused: 'The service could not read the request. Load the page again.',
    rate_limit_exceeded: 'There were too many requests. Try again in a minute.',
    daily_quota_exceeded: 'The requests of this day are used up.',
    api_key_banned: 'This key is banned for a while, because it sent too many requests.',
    headers_too_large: 'The service could not read the request. Load the page again.',
    internal_error: 'The service has a fault. Try again; if it happens again, tell the operator the time.',
    service_unavailable: 'The service cannot do this now. Try again in a moment.',
    // Codes of the dashboard itself; the service never sends them.
    offline: 'The service cannot be reached.',
    outdated_page: 'The service was updated. Load the page again.',
    not_loaded:
      'This part of the dashboard could not be loaded: the connection was lost, or the service was updated.',
    copy_refused: 'The browser refused to copy. Select the text and copy it by hand.',
    refused: 'The service refused it.',
    unexpected: 'The dashboard has a fault. Load the page again.',
  },
  /** Why the present state does not allow it; `undefined`: the message of the service, which is English, says it. */
  conflict: (_operation: Operation): string | undefined => undefined,
  /** What the headers of a refusal say; `undefined`: the message of the service says it. */
  facts: (_facts: RefusalFacts): string | undefined => undefined,
  withDetail: (_text: string, detail: string) => detail,
};
