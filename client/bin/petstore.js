#!/usr/bin/env node
import { existsSync } from 'node:fs';

// A package has the bundle. A checkout has the source, which only newer runtimes can read.
const source = new URL('../cli/main.ts', import.meta.url);
const bundle = new URL('../dist/petstore.js', import.meta.url);
const readsTypes = process.versions.bun || Number.parseInt(process.versions.node, 10) >= 24;

if (existsSync(source) && readsTypes) await import(source.href);
else if (existsSync(bundle)) await import(bundle.href);
else {
  process.stderr.write(
    `error: this checkout needs Node 24 or later, and this is ${process.version}; ` +
      'run npm run build --workspace client, or use npx petstore after npm ci.\n',
  );
  process.exitCode = 1;
}
