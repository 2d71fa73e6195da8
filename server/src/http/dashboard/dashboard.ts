import { randomBytes } from 'node:crypto';
import { ApiError } from '../../domain/errors.ts';
import type { Answer } from '../../listen/exchange.ts';
import type { RequestContext } from '../request/request-context.ts';
import { answerVariants } from '../request/variants.ts';
import type { BuiltFiles } from './built-files.ts';
import { answerWithoutBuild } from './missing-build.ts';

/** The first parts of the paths of pages. `/` is one too. */
export const PAGE_PATHS = [
  'sign-in',
  'stock',
  'pets',
  'orders',
  'count',
  'activity',
  'imports',
  'access',
  'webhooks',
  'system',
] as const;
const PAGES: ReadonlySet<string> = new Set(PAGE_PATHS);

/** Vite names these files by their content. */
const HASHED = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';
const SHORTLY = 'public, max-age=300';

/** What the build has in place of the nonce of a response. */
const NONCE_MARK = '__CSP_NONCE__';

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  // Each response has its own nonce.
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The camera reads barcodes.
  'Permissions-Policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Serves the pages of the dashboard. */
export class Dashboard {
  readonly #build: BuiltFiles | undefined;
  readonly #index: readonly string[];

  /** @param build Without one, `/` shows how to make it. */
  constructor(build: BuiltFiles | undefined) {
    this.#build = build;
    this.#index = build?.index.split(NONCE_MARK) ?? [];
  }

  get isBuilt(): boolean {
    return this.#build !== undefined;
  }

  /**
   * What answers a request; `undefined`: the dashboard has nothing there.
   * @throws ApiError `route_not_found` for a file of another build.
   */
  routeOf(context: RequestContext): ((context: RequestContext) => Answer) | undefined {
    const { path } = context;
    if (path.startsWith('/v1/')) return undefined;
    if (!this.#build) return path === '/' ? answerWithoutBuild : undefined;
    const file = this.#build.files.get(path);
    if (file) {
      const headers = {
        'Content-Type': file.contentType,
        'Cache-Control': path.startsWith(HASHED) ? FOR_EVER : SHORTLY,
        'Cross-Origin-Resource-Policy': 'same-origin',
      };
      return (own) => answerVariants(own, file.variants, headers);
    }
    if (path.startsWith(HASHED)) throw new ApiError('route_not_found', 'This path does not exist.');
    return path === '/' || isPage(context) ? (own) => this.#answerPage(own) : undefined;
  }

  #answerPage(context: RequestContext): Answer {
    const nonce = randomBytes(16).toString('base64url');
    const headers = { ...PAGE_HEADERS, 'Content-Security-Policy': policyOf(nonce) };
    return context.respond(200, this.#index.join(nonce), headers);
  }
}

/** Whether a browser opens a page. Programs get the usual 404 there. */
function isPage(context: RequestContext): boolean {
  const { method } = context.request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const [, first = ''] = context.path.split('/', 2);
  return PAGES.has(first) && (context.header('accept') ?? '').includes('text/html');
}

function policyOf(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
