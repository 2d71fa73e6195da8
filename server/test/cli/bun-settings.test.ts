import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startService } from '../blackbox/service.ts';

test('a start on Bun names each setting that has no effect there', async (t) => {
  const env = {
    PETSTORE_MAX_CONNECTIONS: '500',
    PETSTORE_HEADERS_TIMEOUT: '1',
    PETSTORE_REQUEST_TIMEOUT: '1',
  };
  const onBun = await startService(t, { runtime: 'bun', env });
  const named = [...onBun.logs().matchAll(/"(PETSTORE_\w+) has no effect on Bun"/g)].map(([, name]) => name);
  assert.deepEqual(named, ['PETSTORE_MAX_CONNECTIONS', 'PETSTORE_HEADERS_TIMEOUT']);

  // This one has an effect.
  const headers = `Host: localhost\r\nAuthorization: Bearer ${onBun.key}\r\nContent-Type: application/json\r\n`;
  const socket = connect(onBun.port, '127.0.0.1');
  socket.write(`PATCH /v1/inventory/1 HTTP/1.1\r\n${headers}Content-Length: 40\r\n\r\n{`);
  const [response] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  assert.match(response.toString(), /^HTTP\/1\.1 408 /);
});
