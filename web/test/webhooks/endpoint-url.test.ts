import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWholeUrl, isWrongUrl } from '../../src/pages/webhooks/endpoint-url.ts';

test('the address of an endpoint is whole, wrong, or may still become one', () => {
  const stateOf = (text: string) => (isWholeUrl(text) ? 'whole' : isWrongUrl(text) ? 'wrong' : 'begun');
  const expected = {
    whole: ['https://shop.example/hooks', 'http://10.0.0.1:8080', 'HTTPS://s', 'https://[::1]/x?y=1'],
    begun: ['', 'h', 'http', 'https:', 'https://'],
    wrong: [
      'shop.example/hooks',
      'x',
      'ftp://shop.example',
      'https:/shop.example',
      'https://shop example',
      'https://shop.example:99999',
      'https://ada@shop.example',
      'https://ada:secret@shop.example',
    ],
  };
  for (const [state, texts] of Object.entries(expected))
    for (const text of texts) assert.equal(stateOf(text), state, text);
});
