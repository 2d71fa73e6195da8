import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSettings, settingsToRecord } from '../../src/cli/service-settings.ts';

test('settings of which the service before had another value are named, and its address is not', () => {
  const of = (environment: Readonly<Record<string, string>>, port = 8080) =>
    settingsToRecord(environment, port);
  const limited = of({ PETSTORE_MAX_QUANTITY: '10', PETSTORE_HOST: '10.0.0.1' });
  assert.deepEqual(
    otherSettings(limited, of({ PETSTORE_MAX_QUANTITY: '10', PETSTORE_HOST: '10.0.0.2' }, 8081)),
    [],
  );
  assert.deepEqual(otherSettings(limited, of({ PETSTORE_MAX_QUANTITY: '20' })), ['PETSTORE_MAX_QUANTITY']);
  assert.deepEqual(otherSettings(limited, of({})), ['PETSTORE_MAX_QUANTITY']);
  const held = { PETSTORE_MAX_QUANTITY: '10', PETSTORE_ORDER_HOLD: '15m' };
  assert.deepEqual(otherSettings(limited, of(held)), ['PETSTORE_ORDER_HOLD']);
  assert.deepEqual(otherSettings({}, limited), [], 'nothing is recorded before the first start');
});
