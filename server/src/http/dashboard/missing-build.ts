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

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pet Store</title>
<style>${STYLE}</style>
</head>
<body>
<h1>The pet store is open. Its dashboard and documentation are not built.</h1>
<p>Build them in the checkout, then restart the service. <code>npm start</code> does both.</p>
<pre>${COMMANDS.join('\n')}</pre>
<p>The API works without them: <a href="openapi.json">OpenAPI document</a>, <a href="healthz">health</a>. The guides are in the folder <code>docs</code> of the checkout.</p>
</body>
</html>
`;

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const VALUE = {
  message: `The dashboard and the documentation are not built: run ${COMMANDS.join(' and ')}, then restart the service. The API works without them.`,
  openapi: '/openapi.json',
  health: '/healthz',
};

/** `/` and `/docs` without a build: how to make one. */
export function answerWithoutBuild(context: RequestContext): Answer {
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' };
  if (!(context.header('accept') ?? '').includes('text/html')) {
    return context.respond(200, `${JSON.stringify(VALUE)}\n`, {
      ...headers,
      'Content-Type': 'application/json',
    });
  }
  return context.respond(200, PAGE, {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  });
}
