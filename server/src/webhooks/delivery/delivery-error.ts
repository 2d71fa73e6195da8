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
  if (code === 'HPE_HEADER_OVERFLOW') return network('The response has too many headers.');
  if (NOT_HTTP.test(code)) return network(`The response is not valid HTTP (${code}).`);
  if (TLS.test(code)) return network(`The TLS connection failed (${code}).`);
  return network(`The connection failed (${code || message}).`);
}

function network(message: string): DeliveryError {
  return new DeliveryError('network', message);
}
