import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiTypes } from '../scripts/api-types.ts';

test('the types of the dashboard are those of the management API', () => {
  const file = new URL('../src/api/schemas.ts', import.meta.url);
  assert.equal(readFileSync(file, 'utf8'), apiTypes(), 'run npm run openapi');
});

test('no form of the dashboard has a limit of its own', () => {
  const source = new URL('../src/', import.meta.url);
  const own = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.tsx') && /maxLength[=:]\s*\{?\d/.test(readFileSync(new URL(name, source), 'utf8')),
  );
  assert.deepEqual(own, [], 'take it from shared/src/limits.ts');
});
