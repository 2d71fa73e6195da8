import type { DeliveryErrorCode } from '@petstore-inventory/shared/words';

/** Results of an attempt, for metrics. */
export const DELIVERY_RESULTS = ['delivered', 'status', 'timeout', 'network', 'refused'] as const;
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];

/** Why an attempt has no usable response. Its message is a sentence for the owner of the endpoint. */
export class DeliveryError extends Error {
  readonly result: DeliveryResult;
  readonly code: DeliveryErrorCode;
  /** A code of the system or of TLS, or a name without an address. */
  readonly detail: string | null;

  constructor(
    code: DeliveryErrorCode,
    message: string,
    detail: string | null = null,
    result = RESULTS[code],
  ) {
    super(message);
    this.result = result ?? 'network';
    this.code = code;
    this.detail = detail;
  }
}

const RESULTS: Partial<Record<DeliveryErrorCode, DeliveryResult>> = {
  timeout: 'timeout',
  address_not_allowed: 'refused',
};

/** Codes of `node:http` for a response that is not HTTP. */
const NOT_HTTP = /^HPE_/;
/** Codes of OpenSSL and `node:tls` for a certificate or a handshake. */
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|ERR_OSSL)/;

/** A sentence about a status that is not a success; `null` for a success. */
export function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `The receiver redirects with status ${status}; redirects are not followed.`;
  }
  return `The receiver responded with status ${status}.`;
}

/** An error of a request as a sentence. */
export function failureOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DeliveryError('invalid_response', 'The response has too many headers.', code);
  }
  if (NOT_HTTP.test(code)) {
    return new DeliveryError('invalid_response', `The response is not valid HTTP (${code}).`, code);
  }
  if (TLS.test(code)) return new DeliveryError('tls_failed', `The TLS connection failed (${code}).`, code);
  const kind = code === 'ECONNREFUSED' ? 'connection_refused' : 'connection_failed';
  return new DeliveryError(kind, `The connection failed (${code || message}).`, code || null);
}
