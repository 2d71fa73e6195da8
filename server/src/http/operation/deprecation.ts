import { ApiError } from '../../domain/errors.ts';
import { errorComponent } from '../openapi/error-responses.ts';
import { DEPRECATION_HEADERS } from '../openapi/headers.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The end of an operation: what documents it also sends it, and refuses requests from then on. */
export interface Deprecation {
  /** Members of the operation in the document. */
  readonly documented: Readonly<Record<string, unknown>>;
  /** Headers of each response, errors included. */
  readonly headers: Readonly<Record<string, string>>;
  /** @throws ApiError `operation_sunset`. */
  readonly requireBefore: (context: RequestContext) => void;
}

export const SUNSET_ERRORS = {
  410: errorComponent('OperationSunset', {
    description: 'The operation is past its sunset.',
    codes: ['operation_sunset'],
    headers: DEPRECATION_HEADERS,
  }),
};

/**
 * Each response has `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) with links to their documentation. From the sunset on
 * it is 410.
 * @param docsUrl The documentation of both.
 * @param refusal What the operation is, and what to use in its place.
 */
export function deprecatedFrom(
  { deprecatedAtMs, sunsetAtMs }: { readonly deprecatedAtMs: number; readonly sunsetAtMs: number },
  { docsUrl, refusal }: { readonly docsUrl: string; readonly refusal: string },
): Deprecation {
  const links = ['deprecation', 'sunset'].map(
    (relation) => `<${docsUrl}>; rel="${relation}"; type="text/html"`,
  );
  return {
    documented: {
      deprecated: true,
      'x-sunset': new Date(sunsetAtMs).toISOString().slice(0, 10),
      'x-response-headers': DEPRECATION_HEADERS,
    },
    headers: {
      Deprecation: `@${Math.floor(deprecatedAtMs / 1_000)}`,
      Sunset: new Date(sunsetAtMs).toUTCString(),
      Link: links.join(', '),
    },
    requireBefore: ({ nowMs }) => {
      if (nowMs >= sunsetAtMs) throw new ApiError('operation_sunset', refusal);
    },
  };
}
