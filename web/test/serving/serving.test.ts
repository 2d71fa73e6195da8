import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PAGE_PATHS } from '../../../server/src/http/dashboard/dashboard.ts';
import { request } from '../../../server/test/blackbox/api-request.ts';
import type { Service } from '../../../server/test/blackbox/service.ts';
import { testTargets } from '../../../server/test/blackbox/targets.ts';
import { commandLine, temporaryFolder } from '../../../server/test/support/command-line.ts';
import { builtFixture, DOCS, GUIDE, SCRIPT, WASM } from './built-fixture.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** The page of the build. */
const PAGE = /<meta name="session"/;
const ASSET = '/assets/index-x7Qa.js';

/** Sends a request without a key. */
async function get(service: Service, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { status, headers: received, body } = await request(service, { method, path, headers });
  return { status, headers: new Headers([...received]), body, text: body.toString() };
}

for (const target of testTargets()) {
  test(`on ${target.name}, the pages are served under a strict policy, each with its own nonce`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: builtFixture(t) } });
    const nonces = new Set<string>();
    for (const path of [
      '/',
      '/stock',
      '/pets/9007199254740993',
      '/orders/17?x=1',
      '/access/keys',
      '/sign-in',
    ]) {
      const page = await get(service, path, BROWSER);
      assert.deepEqual(
        [page.status, page.headers.get('Content-Type')],
        [200, 'text/html; charset=utf-8'],
        path,
      );
      const policy = page.headers.get('Content-Security-Policy') ?? '';
      const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? [];
      assert.match(page.text, new RegExp(`content="${nonce}"`));
      nonces.add(nonce);
      assert.equal(
        policy.replace(nonce, ''),
        "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      for (const [name, value] of [
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
        ['Referrer-Policy', 'same-origin'],
        ['Cross-Origin-Opener-Policy', 'same-origin'],
        ['Permissions-Policy', 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()'],
      ] as const) {
        assert.equal(page.headers.get(name), value, name);
      }
      const head = await get(service, path, BROWSER, 'HEAD');
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers.get('Content-Type'), 'text/html; charset=utf-8');
    }
    assert.equal(nonces.size, 6, 'each response has its own');
    assert.equal((await get(service, '/')).status, 200, 'also for programs');
    for (const [path, text] of [
      ['/docs', DOCS],
      ['/docs/live-stream', GUIDE],
    ] as const) {
      const docs = await get(service, path);
      assert.deepEqual([docs.status, docs.text], [200, text], 'also for programs');
      assert.equal(
        docs.headers.get('Content-Security-Policy'),
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      assert.equal(docs.headers.get('Cache-Control'), 'no-cache', 'a new release has other files');
      const small = await get(service, path, { 'Accept-Encoding': 'br' });
      assert.equal(small.headers.get('Content-Encoding'), 'br');
      assert.equal(brotliDecompressSync(small.body).toString(), text);
    }
    assert.equal((await get(service, '/docs.html.br')).status, 401);
  });

  test(`on ${target.name}, WebAssembly is allowed in the worker that reads barcodes, and on no page`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: builtFixture(t) } });
    const policyOf = async (path: string) => {
      const { headers } = await get(service, path, BROWSER);
      return headers.get('Content-Security-Policy') ?? '';
    };
    assert.equal(
      await policyOf('/assets/barcode-worker-Jq_K-p5s.js'),
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    );
    const pages = ['/', ...PAGE_PATHS.map((first) => `/${first}`), '/nowhere'];
    const docs = ['/docs', '/docs/live-stream', '/docs/reference', '/docs/nothing'];
    const files = [ASSET, '/favicon.svg', '/assets/zxing_reader-BxB2YfIY.wasm', '/assets/old-0000.js'];
    for (const path of [...pages, ...docs, ...files, '/v1/inventory', '/admin/v1/pets']) {
      assert.doesNotMatch(await policyOf(path), /wasm|unsafe-eval/, path);
    }
    for (const path of [...pages, '/docs', '/docs/live-stream', '/docs/reference']) {
      assert.match(await policyOf(path), /script-src 'self';/, path);
    }
    const wasm = await get(service, '/assets/zxing_reader-BxB2YfIY.wasm');
    assert.deepEqual([wasm.headers.get('Content-Type'), wasm.body], ['application/wasm', WASM]);
  });

  test(`on ${target.name}, a page knows when its browser has no session`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: builtFixture(t) } });
    const own = { 'Sec-Fetch-Site': 'none' };
    for (const [headers, known] of [
      [own, 'none'],
      [{ 'Sec-Fetch-Site': 'same-origin', Cookie: 'theme=dark' }, 'none'],
      [{ ...own, Cookie: 'theme=dark; petstore_session=x' }, ''],
      [{ ...own, Cookie: '__Host-petstore_session=x' }, ''],
      // The browser may have a cookie that it did not send.
      [{ 'Sec-Fetch-Site': 'cross-site' }, ''],
      [{}, ''],
    ] as const) {
      const { text } = await get(service, '/sign-in', { ...BROWSER, ...headers });
      assert.match(text, new RegExp(`<meta name="session" content="${known}">`), JSON.stringify(headers));
    }
  });

  test(`on ${target.name}, files are compressed already, tagged and kept for ever`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: builtFixture(t) } });
    const tags = new Set<string>();
    for (const [accepted, coding, decode] of [
      ['identity', null, (body: Buffer) => body],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, br', 'br', brotliDecompressSync],
    ] as const) {
      const headers = { 'Accept-Encoding': accepted };
      const script = await get(service, ASSET, headers);
      assert.equal(script.status, 200);
      assert.equal(script.headers.get('Content-Encoding'), coding);
      assert.equal(decode(script.body).toString(), SCRIPT);
      assert.equal(script.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
      assert.equal(script.headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
      assert.equal(script.headers.get('Vary'), 'Accept-Encoding');
      const tag = script.headers.get('ETag') ?? '';
      tags.add(tag);
      const again = await get(service, ASSET, { ...headers, 'If-None-Match': tag });
      assert.deepEqual([again.status, again.text, again.headers.get('ETag')], [304, '', tag]);
      const head = await get(service, ASSET, headers, 'HEAD');
      assert.deepEqual([head.status, head.text, head.headers.get('ETag')], [200, '', tag]);
      assert.equal(head.headers.get('Content-Length'), String(script.body.length));
    }
    assert.equal(tags.size, 3, 'each coding has its own');
    const font = await get(service, '/assets/inter-a1b2.woff2', { 'Accept-Encoding': 'br, gzip' });
    assert.deepEqual([font.headers.get('Content-Type'), [...font.body]], ['font/woff2', [0, 1, 2, 255]]);
    const icon = await get(service, '/favicon.svg');
    assert.deepEqual(
      [icon.headers.get('Content-Type'), icon.headers.get('Cache-Control')],
      ['image/svg+xml', 'public, max-age=300'],
    );
    for (const path of ['/', ASSET, '/favicon.svg']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const refused = await get(service, path, {}, method);
        assert.deepEqual([refused.status, refused.headers.get('Allow')], [405, 'GET, HEAD, OPTIONS']);
      }
    }
  });

  test(`on ${target.name}, nothing but the files of the build is read, and other paths are as they were`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: builtFixture(t) } });
    const hostile = [
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets/../../secret.txt',
      '/..%2fsecret.txt',
      '/assets/index-x7Qa.js%00',
      '/assets/index-x7Qa.js%00.png',
      '/assets/%00',
      '/assets//index-x7Qa.js',
      '/ASSETS/index-x7Qa.js',
      '/assets',
      '/assets/',
      '/assets/index-x7Qa.js.gz',
      '/assets/index-x7Qa.js.br',
      '/assets/constructor',
      '/index.html',
      '/docs.html',
      '/docs/live-stream.html',
      '/docs/live-stream.br',
      '/docs/../docs/live-stream.html.br',
      '/docs/nothing',
      '/__proto__',
      `/assets/${'a'.repeat(8_000)}`,
      `/${'../'.repeat(20)}etc/passwd`,
    ];
    for (const path of hostile) {
      const answer = await get(service, path, BROWSER);
      assert.ok([400, 401, 404].includes(answer.status), `${path}: ${answer.status}`);
      if (answer.headers.get('Content-Type') !== 'application/json')
        assert.match(answer.text, path.startsWith('/docs/') ? /<h1>There is no such page/ : PAGE, path);
      assert.doesNotMatch(answer.text, /a secret|root:|console\.log/, path);
    }
    assert.equal((await get(service, '/assets/old-0000.js')).status, 404, 'of another build');
    for (const path of ['/docs/nosuch', '/docs/nosuch/', '/docs//', '/docs/live-stream.html', '/docs/a/b']) {
      const page = await get(service, path, BROWSER);
      assert.equal(page.status, 404, path);
      const [, link = ''] = /href="([^"]*docs)"/.exec(page.text) ?? [];
      assert.equal(new URL(link, `${service.url}${path}`).pathname, '/docs', path);
      const error = await get(service, path, { Accept: '*/*' });
      assert.equal(error.status, 404, path);
      assert.equal((JSON.parse(error.text) as { code: string }).code, 'route_not_found');
    }
    const { status, headers } = await get(service, '/docs/live-stream/', BROWSER);
    assert.deepEqual([status, headers.get('Location')], [308, '../live-stream']);
    for (const path of ['/stock', '/pets/1']) {
      const answer = await get(service, path, { Accept: 'application/json' });
      assert.equal(answer.status, 401, 'for programs there are no pages');
      assert.equal((await get(service, path, BROWSER, 'POST')).status, 401);
    }
    for (const path of ['/v1/stock', '/admin/v1/stock']) {
      assert.equal((await get(service, path, BROWSER)).status, 401, path);
    }
    for (const path of ['/stockx', '/Stock', '/nowhere']) {
      const missing = await get(service, path, BROWSER);
      assert.equal(missing.status, 404, path);
      assert.match(missing.text, PAGE);
    }
    assert.ok(service.isAlive(), service.logs());
  });

  test(`on ${target.name}, files are those of the start after another build took their place`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const folder = builtFixture(t);
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: folder } });
    rmSync(folder, { recursive: true });
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'assets/index-x7Qa.js.br'), brotliCompressSync('another'));
    for (const [path, text] of [
      [ASSET, SCRIPT],
      [ASSET, SCRIPT],
      ['/docs', DOCS],
      ['/docs/live-stream', GUIDE],
    ] as const) {
      const { status, body } = await get(service, path, { 'Accept-Encoding': 'br' });
      assert.equal(status, 200, path);
      assert.equal(brotliDecompressSync(body).toString(), text, path);
    }
    const font = await get(service, '/assets/inter-a1b2.woff2', { 'Accept-Encoding': 'br' });
    assert.deepEqual([font.status, [...font.body]], [200, [0, 1, 2, 255]]);
  });

  test(`on ${target.name}, the dashboard can be switched off`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const service = await target.start(t, { env: { PETSTORE_DASHBOARD: 'off' } });
    assert.match((await get(service, '/', BROWSER)).text, /<title>Pet Store/);
    assert.equal((await get(service, '/stock', BROWSER)).status, 404);
  });
}

test('a folder without a build is a mistake of the operator', async (t: TestContext) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder, { env: { PETSTORE_DASHBOARD: folder } });
  const { code, stderr } = await cli('serve');
  assert.equal(code, 1);
  assert.match(stderr, /^error: PETSTORE_DASHBOARD: .* has no index\.html; name the folder/);
});

test('the paths of pages are those of the dashboard', () => {
  const source = readFileSync(new URL('../../src/app/pages.ts', import.meta.url), 'utf8');
  const firsts = [...source.matchAll(/\bpath: '\/([a-z-]+)/g)].map(([, first]) => first as string);
  assert.deepEqual([...PAGE_PATHS].toSorted(), ['sign-in', ...firsts].toSorted());
});
