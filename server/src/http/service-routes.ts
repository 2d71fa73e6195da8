import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../domain/errors.ts';
import { bearerToken } from './bearer-token.ts';
import type { Call } from './call.ts';
import { errorResponse, JSON_TYPE } from './error-response.ts';
import type { Metrics } from './metrics.ts';

const DOCS_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/** What people who run the service look at. Outside `/v1`, and no API key is asked for. */
export interface ServiceParts {
  readonly checkHealth: () => Promise<void>;
  readonly isDraining: () => boolean;
  readonly metrics: Metrics;
  /** What `/metrics` asks for as a bearer token; empty: nothing. */
  readonly metricsToken: string;
  /** The OpenAPI document; made when it is first asked for. */
  readonly document: () => object;
}

export type ServiceRoute = (call: Call) => Promise<Response> | Response;

/** The routes by path; each answers GET, and HEAD by its headers. */
export function serviceRoutes(parts: ServiceParts): Readonly<Record<string, ServiceRoute>> {
  const { metrics, metricsToken, document } = parts;
  let documentText: string | undefined;
  const documentJson = () => {
    documentText ??= JSON.stringify(document(), undefined, 2);
    return documentText;
  };
  const docs = async (call: Call) => {
    // Loaded when first looked at: few processes ever show the page.
    const { renderDocs } = await import('./docs/page.ts');
    return call.respond(200, renderDocs(JSON.parse(documentJson())), {
      ...plain('text/html; charset=utf-8', 'public, max-age=300'),
      'Content-Security-Policy': DOCS_POLICY,
      'Referrer-Policy': 'no-referrer',
    });
  };
  return {
    '/healthz': (call) => call.respond(200, '{"status":"ok"}', plain(JSON_TYPE)),
    '/readyz': async (call) => {
      // Answered, not thrown: an ordinary stop is no failure to log.
      if (parts.isDraining()) return errorResponse(call, notReady('The service is stopping.'));
      await parts.checkHealth().catch((cause: unknown) => {
        throw notReady('The database does not answer.', cause);
      });
      return call.respond(200, '{"status":"ready"}', plain(JSON_TYPE));
    },
    '/metrics': async (call) => {
      requireToken(call, metricsToken);
      return call.respond(200, await metrics.registry.metrics(), plain(metrics.registry.contentType));
    },
    '/openapi.json': (call) => call.respond(200, documentJson(), plain(JSON_TYPE, 'public, max-age=300')),
    '/': docs,
    '/docs': docs,
    '/docs/style.css': async (call) => {
      const { DOCS_STYLE } = await import('./docs/style.ts');
      return call.respond(200, DOCS_STYLE, plain('text/css; charset=utf-8', 'public, max-age=300'));
    },
  };
}

function plain(contentType: string, caching = 'no-store'): Record<string, string> {
  return { 'Content-Type': contentType, 'Cache-Control': caching };
}

function notReady(message: string, cause?: unknown): ApiError {
  return new ApiError('service_unavailable', message, { headers: { 'Retry-After': '5' }, cause });
}

function requireToken(call: Call, token: string): void {
  if (token === '') return;
  const given = bearerToken(call.header('authorization') ?? '') ?? '';
  // Digests have one length, so that the comparison tells nothing of the token's.
  const [a, b] = [given, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  if (!timingSafeEqual(a, b)) {
    throw new ApiError('invalid_api_key', 'Send the metrics token as: Authorization: Bearer <TOKEN>.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
    });
  }
}
