import { hash } from 'node:crypto';
import type { Answer } from '../../listen/exchange.ts';
import type { RequestContext } from '../request/request-context.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:12vh auto 0;padding:0 24px;max-width:36rem}
h1{font-size:1.25rem;margin:0 0 .5rem}
p{margin:.75rem 0}
pre{padding:12px 16px;border-radius:8px;background:color-mix(in srgb,currentColor 8%,transparent);overflow:auto}
a{color:inherit}`;

const COMMANDS = ['npm ci', 'npm run build --workspace web'] as const;

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const ALL = {
  missing: 'The dashboard and the documentation are not built',
  remedy: 'Build them in the checkout, then restart the service. <code>npm start</code> does both.',
};
const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
};
/** `npm start` builds nothing then. */
const DOCUMENTATION = {
  missing: 'The documentation is not built',
  remedy:
    'Build it in the checkout, then restart the service. The dashboard is switched off: <code>PETSTORE_DASHBOARD=off</code>.',
};

/**
 * `/` and `/docs` without a build: how to make one.
 * @param isOff Whether the dashboard is switched off, so that only the documentation is missing.
 */
export function answerWithoutBuild(isOff: boolean): (context: RequestContext) => Answer {
  const { missing, remedy } = isOff ? DOCUMENTATION : ALL;
  const page = pageOf(
    `<h1>The pet store is open. ${missing}.</h1>
<p>${remedy}</p>
<pre>${COMMANDS.join('\n')}</pre>
<p>The API works without a build: <a href="openapi.json">OpenAPI document</a>, <a href="healthz">health</a>. The guides are in the folder <code>docs</code> of the checkout.</p>`,
  );
  const value = {
    message: `${missing}: run ${COMMANDS.join(' and ')}, then restart the service. The API works without a build.`,
    openapi: '/openapi.json',
    health: '/healthz',
  };
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' };
  const pageHeaders = { ...headers, ...PAGE_HEADERS };
  return (context) =>
    (context.header('accept') ?? '').includes('text/html')
      ? context.respond(200, page, pageHeaders)
      : context.respond(200, `${JSON.stringify(value)}\n`, {
          ...headers,
          'Content-Type': 'application/json',
        });
}

/** An address that has no page: of the documentation, or where the pages of the dashboard are not built or switched off. */
export function answerMissingPage(context: RequestContext): Answer {
  // Relative, because a proxy may serve all paths below a prefix.
  const root = '../'.repeat(context.path.split('/').length - 2) || './';
  const page = pageOf(
    `<h1>There is no such page</h1>
<p>The address may be misspelt. <a href="${root}">Open the start page</a>, or <a href="${root}docs">the documentation</a>.</p>`,
  );
  return context.respond(404, page, { ...PAGE_HEADERS, 'Cache-Control': 'no-store', Vary: 'Accept' });
}

function pageOf(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pet Store</title>
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`;
}
