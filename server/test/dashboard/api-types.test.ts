import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiTypes } from '../../../web/scripts/api-types.ts';

test('the types of the dashboard are those of the management API', () => {
  const file = new URL('../../../web/src/api/schemas.ts', import.meta.url);
  assert.equal(readFileSync(file, 'utf8'), apiTypes(), 'run npm run openapi');
});
