import { randomBytes } from 'node:crypto';
import { ApiError } from '../../domain/errors.ts';
import type { Answer } from '../../listen/exchange.ts';
import { PLAIN_COOKIE, readCookie, SECURE_COOKIE } from '../access/session-cookie.ts';
import type { RequestContext } from '../request/request-context.ts';
import { answerVariants } from '../request/variants.ts';
import type { BuiltFile, BuiltFiles } from './built-files.ts';
import { answerMissingPage } from './missing-build.ts';

/** The first parts of the paths of pages. `/` is one too. */
export const PAGE_PATHS = [
  'sign-in',
  'stock',
  'pets',
  'orders',
  'count',
  'reports',
  'reorders',
  'stocktakes',
  'labels',
  'activity',
  'imports',
  'access',
  'webhooks',
  'system',
] as const;
const PAGES: ReadonlySet<string> = new Set(PAGE_PATHS);

/** The script of the worker that reads barcodes of the camera where the browser cannot. */
const BARCODE_WORKER = /^\/assets\/barcode-worker-[\w-]+\.js$/;
/** A worker has the policy of its script. It alone may compile WebAssembly; no page may. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Vite names these files by their content. */
const HASHED = '/assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';
const SHORTLY = 'public, max-age=300';
/** A browser with an old one would keep the files of an old build. */
const SERVICE_WORKER = '/service-worker.js';

/** The placeholder of a response's nonce in the built pages. */
const NONCE_MARK = '__CSP_NONCE__';
/** The placeholder of `none`, for a browser without a session, so that the page need not request it. */
const SESSION_MARK = '__SESSION__';

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

const DOCS_HEADERS = {
  // A kept page would request the files of the release before, which are gone.
  'Cache-Control': 'no-cache',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The documentation sets inline styles. It shows no text of a user.
  'Content-Security-Policy': policyOf("'unsafe-inline'"),
} as const;

/** Serves the pages of the dashboard and of the documentation. */
export class Dashboard {
  readonly #build: BuiltFiles | undefined;
  readonly #index: readonly string[];
  readonly #hasPages: boolean;

  /**
   * @param build Without one there are no pages.
   * @param hasPages `false`: there is only the documentation.
   */
  constructor(build: BuiltFiles | undefined, hasPages = true) {
    this.#build = build;
    this.#index = build?.index.split(NONCE_MARK) ?? [];
    this.#hasPages = hasPages;
  }

  /** Whether there is only the documentation, if that is built. */
  get isOff(): boolean {
    return !this.#hasPages;
  }

  /** Whether there are the pages of the dashboard. */
  get isBuilt(): boolean {
    return this.#hasPages && this.#build !== undefined;
  }

  /**
   * What answers a request; `undefined`: the dashboard has nothing there.
   * @throws ApiError `route_not_found` for a file of another build.
   */
  routeOf(context: RequestContext): ((context: RequestContext) => Answer) | undefined {
    const { path } = context;
    if (path.startsWith('/v1/')) return undefined;
    const docs = this.#build?.docs.get(path === '/' && !this.#hasPages ? '/docs' : path);
    if (docs) return (own) => answerFile(own, docs, DOCS_HEADERS);
    if (path.startsWith('/docs/') && path !== '/docs/') return (own) => this.#answerNoDocs(own);
    if (!this.#build) return undefined;
    const file = this.#build.files.get(path);
    if (file) {
      const headers = {
        'Cache-Control': path === SERVICE_WORKER ? 'no-cache' : path.startsWith(HASHED) ? FOR_EVER : SHORTLY,
        'Cross-Origin-Resource-Policy': 'same-origin',
        ...(BARCODE_WORKER.test(path) && { 'Content-Security-Policy': WORKER_POLICY }),
      };
      return (own) => answerFile(own, file, headers);
    }
    if (path.startsWith(HASHED)) throw new ApiError('route_not_found', 'This path does not exist.');
    const hasPage = this.#hasPages && (path === '/' || isPage(context));
    return hasPage ? (own) => this.#answerPage(own, 200) : undefined;
  }

  /** Answers a browser that opens a page which does not exist, with a page that says so. */
  get missingPage(): (context: RequestContext) => Answer {
    return this.isBuilt ? (context) => this.#answerPage(context, 404) : answerMissingPage;
  }

  /** The documentation is public, so a path that it does not have needs no key either. */
  #answerNoDocs(context: RequestContext): Answer {
    const { path } = context;
    const [, page = ''] = /^(.+[^/])\/$/.exec(path) ?? [];
    if (this.#build?.docs.has(page)) {
      // Relative, because a proxy may serve all paths below a prefix.
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        Location: `..${page.slice(page.lastIndexOf('/'))}`,
      };
      return context.respond(308, `This page is at ${page}.\n`, { ...headers, 'Cache-Control': SHORTLY });
    }
    if (isNavigation(context)) return answerMissingPage(context);
    throw new ApiError('route_not_found', 'The documentation has no such page; /docs lists all.');
  }

  #answerPage(context: RequestContext, status: 200 | 404): Answer {
    const nonce = randomBytes(16).toString('base64url');
    const session = hasNoSession(context) ? 'none' : '';
    const headers = { ...PAGE_HEADERS, 'Content-Security-Policy': policyOf(`'nonce-${nonce}'`) };
    return context.respond(status, this.#index.join(nonce).replace(SESSION_MARK, session), headers);
  }
}

function answerFile(
  context: RequestContext,
  { contentType, variants }: BuiltFile,
  headers: Readonly<Record<string, string>>,
): Answer {
  return answerVariants(context, variants, { 'Content-Type': contentType, ...headers });
}

/** Whether a browser opens a page of the dashboard. */
function isPage(context: RequestContext): boolean {
  const [, first = ''] = context.path.split('/', 2);
  return PAGES.has(first) && isNavigation(context);
}

/** Whether a browser opens an address as a page. Programs get the error of the interface. */
export function isNavigation(context: RequestContext): boolean {
  const { method } = context.request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (context.header('accept') ?? '').includes('text/html');
}

/** Whether the browser has no cookie of a session. It leaves the cookie out when a page of another site opens this one. */
function hasNoSession(context: RequestContext): boolean {
  const cookies = context.header('cookie');
  const isOwn = ['none', 'same-origin'].includes(context.header('sec-fetch-site') ?? '');
  const names = [SECURE_COOKIE, PLAIN_COOKIE] as const;
  return isOwn && names.every((name) => readCookie(cookies, name) === undefined);
}

/** @param styles The styles that are allowed besides style sheets of this service. */
function policyOf(styles: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
