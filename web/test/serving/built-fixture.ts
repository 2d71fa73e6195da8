import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../../server/test/support/command-line.ts';

export const SCRIPT = `console.log(${JSON.stringify('x'.repeat(3_000))});\n`;
const INDEX = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="session" content="__SESSION__"><title>Pet Store</title>
<script type="module" src="/assets/index-x7Qa.js"></script></head><body><div id="root"></div></body></html>
`;
export const DOCS = '<!doctype html>\n<title>Pet Store documentation</title>\n';

export const GUIDE = '<!doctype html>\n<title>The live stream</title>\n';

export const REFERENCE = '<!doctype html>\n<title>API reference</title>\n';

/** An empty module. */
export const WASM = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** A folder as Vite writes it, with a secret file beside it. */
export function builtFixture(t: Pick<TestContext, 'after'>): string {
  const parent = temporaryFolder(t);
  writeFileSync(join(parent, 'secret.txt'), 'a secret');
  const folder = join(parent, 'dist');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, 'docs.html'), DOCS);
  writeFileSync(join(folder, 'docs.html.br'), brotliCompressSync(DOCS));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/live-stream.html'), GUIDE);
  writeFileSync(join(folder, 'docs/live-stream.html.br'), brotliCompressSync(GUIDE));
  writeFileSync(join(folder, 'docs/reference.html'), REFERENCE);
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
  const script = join(folder, 'assets/index-x7Qa.js');
  writeFileSync(script, SCRIPT);
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/barcode-worker-Jq_K-p5s.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/zxing_reader-BxB2YfIY.wasm'), WASM);
  writeFileSync(join(folder, 'assets/inter-a1b2.woff2'), Buffer.from([0, 1, 2, 255]));
  return folder;
}
