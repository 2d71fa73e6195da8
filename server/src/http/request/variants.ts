import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Answer } from '../../listen/exchange.ts';
import { acceptedCodings, type Coding, isNoneMatchMet } from './content-negotiation.ts';
import type { RequestContext } from './request-context.ts';

/** The bytes of a document in one coding. */
interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}
export type Variants = Readonly<Partial<Record<Coding, Variant>> & Record<'identity', Variant>>;

/**
 * A strong tag names bytes (RFC 9110 section 8.8.1), so each coding has its own.
 * @param read Reads them, for their first request, after which they are kept: the built pages have 6 MB, and most starts are
 *   followed by requests for few of them.
 */
export function variantOf(read: () => Uint8Array<ArrayBuffer>): Variant {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  let tag: string | undefined;
  return {
    get bytes() {
      bytes ??= read();
      return bytes;
    },
    get tag() {
      tag ??= `"${hash('sha256', this.bytes, 'base64url').slice(0, 22)}"`;
      return tag;
    },
  };
}

/**
 * What a gzip file unpacks to, which few clients request: browsers accept a coding. It is unpacked for its first request,
 * and then kept, so that no request costs it again.
 */
export function unpackedVariant(gzip: Variant): Variant {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return {
    get bytes() {
      bytes ??= gunzipSync(gzip.bytes);
      return bytes;
    },
    // Equal packed bytes unpack to equal bytes.
    get tag() {
      return `${gzip.tag.slice(0, -1)}-identity"`;
    },
  };
}

/** Responds with the preferred variant, or with 304 if the client has one of those that it accepts. */
export function answerVariants(
  context: RequestContext,
  variants: Variants,
  ownHeaders: Readonly<Record<string, string>>,
): Answer {
  const accepted = acceptedCodings(context.header('accept-encoding')).filter((one) => variants[one]);
  const ifNoneMatch = context.header('if-none-match');
  const held =
    ifNoneMatch === null
      ? undefined
      : accepted.find((one) => isNoneMatchMet(ifNoneMatch, variants[one]?.tag ?? ''));
  const coding = held ?? (accepted[0] as Coding);
  const variant = variants[coding] as Variant;
  const headers: Record<string, string> = { ...ownHeaders, ETag: variant.tag, Vary: 'Accept-Encoding' };
  if (held !== undefined) {
    delete headers['Content-Type'];
    return context.respond(304, null, headers);
  }
  if (coding !== 'identity') headers['Content-Encoding'] = coding;
  return context.respond(200, variant.bytes, headers);
}
