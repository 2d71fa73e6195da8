import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GUIDES, guideName } from '../../web/build/guides.ts';
import { llmsFullText } from '../../web/build/llms.ts';

test('the text of all guides links to what the service has, and to nothing of the repository', () => {
  const text = llmsFullText();
  const served = new Set([
    ...GUIDES.map((path) => `docs/${guideName(path)}`),
    ...['petstore', 'petstore-admin'].map((name) => `${name}.postman_collection.json`),
    ...['openapi.json', 'admin/openapi.json'],
  ]);
  const links = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  assert.ok(links.length > 150, `${links.length} links`);
  for (const target of links)
    assert.ok(/^https?:/.test(target) || served.has(target.replace(/#.*$/, '')), target);
  assert.match(text, /\[safe writes\]\(docs\/safe-writes\)/);
  assert.match(text, /\[`\/openapi\.json`\]\(openapi\.json\)/);
  assert.doesNotMatch(text, /<!--/);
  assert.doesNotMatch(text, /!\[/);
});
