import { z } from '@hono/zod-openapi';
import {
  BODY_TOO_LARGE,
  type ErrorResponses,
  UNSUPPORTED_PATCH_TYPE,
  WITH_BODY,
} from '../openapi/error-responses.ts';
import {
  type BodyOptions,
  MAX_BODY_BYTES,
  readJsonBody,
  readOptionalJsonBody,
} from '../request/json-body.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The body of a request. */
export interface Body<B> {
  /** In the document; `undefined`: it has none. */
  readonly schema: z.ZodType | undefined;
  /** For the document; `undefined` leaves it out. */
  readonly required: boolean | undefined;
  readonly mediaTypes: readonly string[];
  /** What a request with it may be refused with. */
  readonly errors: ErrorResponses;
  /** @throws ApiError `unsupported_media_type`, `body_too_large`, `malformed_json` or `validation_failed`. */
  readonly read: (context: RequestContext) => Promise<B>;
}

type Options = Partial<Omit<BodyOptions<never>, 'schema'>>;

/** A JSON body that the operation needs. */
export function body<S extends z.ZodType>(schema: S, options: Options = {}): Body<z.output<S>> {
  const all = { maxBytes: MAX_BODY_BYTES, ...options, schema };
  const { maxBytes, isPatch } = all;
  const description = `The body is larger than ${maxBytes / 1_024} KiB.`;
  return {
    schema,
    required: true,
    mediaTypes: ['application/json', ...(isPatch ? ['application/merge-patch+json'] : [])],
    errors: {
      ...WITH_BODY,
      ...(maxBytes !== MAX_BODY_BYTES && { 413: { ...BODY_TOO_LARGE, description } }),
      ...(isPatch && UNSUPPORTED_PATCH_TYPE),
    },
    read: (context) => readJsonBody(context, all) as Promise<z.output<S>>,
  };
}

/** A JSON body with changes, which may be a merge patch (RFC 7396). */
export function patch<S extends z.ZodType>(schema: S, options: Options = {}): Body<z.output<S>> {
  return body(schema, { ...options, isPatch: true });
}

/** A JSON body that may be missing. */
export function optionalBody<S extends z.ZodType>(
  schema: S,
  options: Options = {},
): Body<z.output<S> | undefined> {
  const all = { maxBytes: MAX_BODY_BYTES, ...options, schema };
  return {
    ...body(schema, options),
    required: false,
    read: (context) => readOptionalJsonBody(context, all) as Promise<z.output<S> | undefined>,
  };
}

const NOTHING = z.strictObject({}, { error: 'must be a JSON object, or missing.' });

/** No body, or an object without members. */
export const EMPTY: Body<Record<string, never> | undefined> = { ...optionalBody(NOTHING), schema: undefined };
