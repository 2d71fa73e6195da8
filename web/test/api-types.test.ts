import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiTypes } from '../scripts/api-types.ts';

test('the types of the dashboard are those of the management API', () => {
  const file = new URL('../src/api/schemas.ts', import.meta.url);
  assert.equal(readFileSync(file, 'utf8'), apiTypes(), 'run npm run openapi');
});

test('each limit of a text field is one of the service, and counts its characters', () => {
  const source = new URL('../src/', import.meta.url);
  const own = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.tsx') && /maxLength|atMost\(\d/.test(readFileSync(new URL(name, source), 'utf8')),
  );
  assert.deepEqual(own, [], 'use atMost with a limit of shared/src/limits.ts');
});
