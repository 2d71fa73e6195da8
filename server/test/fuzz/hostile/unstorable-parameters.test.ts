import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/harness.ts';
import { DOCUMENTS, operationsIn, samplePath } from '../../support/openapi-document.ts';
import { petRow } from '../../support/pet-rows.ts';

for (const { name, base, document } of DOCUMENTS) {
  test(`no parameter of a path or query of ${name} brings U+0000 to a database`, async (t) => {
    const app = await startApp(t, { pets: [petRow(1n, 5)] });
    const { key } = base === '/v1' ? app : await app.makeAdminKey('administrator');
    let places = 0;
    for (const { method, path, operation } of operationsIn(document)) {
      for (const parameter of operation.parameters ?? []) {
        if (parameter.in === 'header') continue;
        places += 1;
        // Management keys have limits per minute.
        app.clock.nowMs += 1_000;
        const written = parameter.in === 'path' ? path.replace(`{${parameter.name}}`, 'a%00b') : path;
        const query = parameter.in === 'query' ? `?${parameter.name}=a%00b` : '';
        const answer = await app.request(method, samplePath(written, base) + query, {
          key,
          ...(operation.requestBody && { body: '{}' }),
        });
        const refusals = parameter.in === 'path' ? [400, 404] : [400];
        const what = `${operation.operationId}, ${parameter.name}: ${answer.status} ${answer.text}`;
        assert.ok(refusals.includes(answer.status), what);
      }
    }
    assert.ok(places > 30, `${places} places`);
  });
}
