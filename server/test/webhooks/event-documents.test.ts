import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '../../src/domain/webhooks/events.ts';
import { eventSamples } from '../../src/http/webhooks/event-samples.ts';
import { closedValidatorIn, DOCUMENT, messageSteps } from '../support/openapi-document.ts';

test('the document has each event, with a sample that the service wrote and its schema allows', () => {
  const samples = eventSamples();
  assert.deepEqual(Object.keys(DOCUMENT.webhooks ?? {}), [...EVENT_TYPES, 'webhook.test']);
  for (const [type, { post }] of Object.entries(DOCUMENT.webhooks ?? {})) {
    const { example } = post?.requestBody?.content['application/json'] ?? {};
    assert.deepEqual(
      (example as { data: unknown }).data,
      JSON.parse(samples[type as keyof typeof samples]),
      type,
    );
    const validate = closedValidatorIn(DOCUMENT, ...messageSteps(type));
    assert.ok(validate(example), `${type}: ${JSON.stringify(validate.errors)}`);
  }
});
