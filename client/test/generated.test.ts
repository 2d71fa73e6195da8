import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientSource } from '../scripts/client-source.ts';
import { SAMPLES_FILE, sampleEvents } from '../scripts/sample-events.ts';

test('the types and methods of the client are those of the document', () => {
  for (const [path, text] of Object.entries(clientSource())) {
    const file = new URL(`../src/${path}`, import.meta.url);
    assert.equal(readFileSync(file, 'utf8'), text, 'run npm run openapi');
  }
});

test('the samples of the command line are events as the service writes them', () => {
  assert.equal(readFileSync(SAMPLES_FILE, 'utf8'), sampleEvents(), 'run npm run openapi');
});
