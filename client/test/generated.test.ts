import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientSource } from '../scripts/client-source.ts';

test('the types and methods of the client are those of the document', () => {
  for (const [path, text] of Object.entries(clientSource())) {
    const file = new URL(`../src/${path}`, import.meta.url);
    assert.equal(readFileSync(file, 'utf8'), text, 'run npm run openapi');
  }
});
