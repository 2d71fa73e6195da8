import { createHash, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ApiError, NotReady } from '../domain/errors.ts';
import type { Answer } from '../listen/exchange.ts';
import { bearerToken } from './access/bearer-token.ts';
import { answerWithoutBuild } from './dashboard/missing-build.ts';
import type { Metrics } from './metrics/metrics.ts';
import { documentText } from './openapi/document-text.ts';
import { errorResponse, JSON_TYPE } from './request/error-response.ts';
import type { RequestContext } from './request/request-context.ts';
import { answerVariants, type Variants, variantOf } from './request/variants.ts';

const DOCUMENT_CACHING = 'public, max-age=300';
/** Quality 11 takes a second for the OpenAPI document and saves another tenth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** What the routes outside `/v1` need. They require no API key. */
interface ServiceParts {
  readonly checkHealth: () => Promise<void>;
  readonly isDraining: () => boolean;
  readonly metrics: Metrics;
  readonly isDashboardOff: boolean;
  /** The bearer token that `/metrics` requires; empty: none. */
  readonly metricsToken: string;
  /** Counts a wrong token against the limit of the caller's address. @throws ApiError when the limit is used up. */
  readonly chargeAddress: (context: RequestContext) => void;
  /** @throws ApiError when the limit of the caller's address is used up. */
  readonly requireAddressLeft: (context: RequestContext) => void;
  /** Makes the OpenAPI document; called at its first request. */
  readonly document: () => object;
  /** Makes the OpenAPI document of the management API; called at its first request. */
  readonly adminDocument: () => object;
}

export type ServiceRoute = (context: RequestContext) => Promise<Answer> | Answer;

/** The routes by path, for GET and HEAD. Short texts end with a newline, for terminals. */
export function serviceRoutes(parts: ServiceParts): Readonly<Record<string, ServiceRoute>> {
  const { metrics, metricsToken } = parts;
  const openApi = prepared(parts.document);
  const adminOpenApi = prepared(parts.adminDocument);
  const withoutBuild = answerWithoutBuild(parts.isDashboardOff);
  return {
    '/healthz': (context) => context.respond(200, '{"status":"ok"}\n', plain(JSON_TYPE)),
    '/readyz': async (context) => {
      // Returned, not thrown: an ordinary stop is not a failure for the log.
      if (parts.isDraining()) return errorResponse(context, notReady('The service is stopping.'));
      await parts.checkHealth().catch((cause: unknown) => {
        throw notReady(reasonOf(cause), cause);
      });
      return context.respond(200, '{"status":"ready"}\n', plain(JSON_TYPE));
    },
    '/metrics': async (context) => {
      if (metricsToken !== '') requireToken(context, parts);
      return context.respond(200, await metrics.registry.metrics(), plain(metrics.registry.contentType));
    },
    '/openapi.json': (context) => openApi.answer(context),
    '/admin/openapi.json': (context) => adminOpenApi.answer(context),
    // A build of the pages has its own.
    '/': withoutBuild,
    '/docs': withoutBuild,
    // Relative, because a proxy may serve all paths below a prefix.
    '/docs/': (context) => {
      const headers = { ...plain('text/plain; charset=utf-8', DOCUMENT_CACHING), Location: '../docs' };
      return context.respond(308, 'The documentation is at /docs.\n', headers);
    },
    // Browsers request it for every page without an icon.
    '/favicon.ico': (context) => context.respond(204, null, { 'Cache-Control': DOCUMENT_CACHING }),
  };
}

/** A document that is the same for all clients. The first request renders, compresses and tags it. */
class PreparedDocument {
  readonly #make: () => string;
  readonly #headers: Readonly<Record<string, string>>;
  #variants: Promise<Variants> | undefined;

  constructor(make: () => string, headers: Readonly<Record<string, string>>) {
    this.#make = make;
    this.#headers = headers;
  }

  async answer(context: RequestContext): Promise<Answer> {
    this.#variants ??= this.#prepare().catch((error: unknown) => {
      this.#variants = undefined;
      throw error;
    });
    return answerVariants(context, await this.#variants, this.#headers);
  }

  /** Compression runs outside the event loop. */
  async #prepare(): Promise<Variants> {
    const plain = Buffer.from(this.#make());
    const [br, zipped] = await Promise.all([
      promisify(brotliCompress)(plain, BROTLI),
      promisify(gzip)(plain, { level: 9 }),
    ]);
    return { identity: variantOf(() => plain), br: variantOf(() => br), gzip: variantOf(() => zipped) };
  }
}

function prepared(document: () => object): PreparedDocument {
  return new PreparedDocument(() => `${documentText(document())}\n`, plain(JSON_TYPE, DOCUMENT_CACHING));
}

function plain(contentType: string, caching = 'no-store'): Record<string, string> {
  return { 'Content-Type': contentType, 'Cache-Control': caching };
}

/** The reason why the store is not ready, without what only operators may read. */
function reasonOf(cause: unknown): string {
  if (cause instanceof NotReady) return cause.reason;
  return cause instanceof ApiError ? cause.message : 'The database does not answer.';
}

function notReady(message: string, cause?: unknown): ApiError {
  return new ApiError('service_unavailable', message, { headers: { 'Retry-After': '5' }, cause });
}

/**
 * Wrong tokens count against the address of their caller. When its minute is used up, no token is compared, because an
 * operator chooses the token and it may be short.
 */
function requireToken(context: RequestContext, { metricsToken: token, ...limit }: ServiceParts): void {
  limit.requireAddressLeft(context);
  const given = bearerToken(context.header('authorization') ?? '') ?? '';
  // Digests have one length, so the time of the comparison does not depend on the token's length.
  const [a, b] = [given, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  if (!timingSafeEqual(a, b)) {
    limit.chargeAddress(context);
    throw new ApiError('invalid_api_key', 'Send the metrics token as: Authorization: Bearer <TOKEN>.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
    });
  }
}
