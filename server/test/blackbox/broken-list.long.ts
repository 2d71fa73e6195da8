import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ON_SQLITE } from './targets.ts';

/** Larger than the buffers of two sockets, so that most of the list is unsent while the client does not read. */
const PETS = 250_000;
const MIN_PET_ID = 1_000_000_000_000_000_000n;
const DEADLINE_MS = 60_000;

/** Sends one request, waits for its first bytes, has `between` done while nothing is read, and reads to the end. */
async function readAround(port: number, head: string, between: () => void): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('Nothing more came.')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const received: Buffer[] = [];
  const problems: Error[] = [];
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // A reset is an end that no client can take for a whole answer.
    if (error.code !== 'ECONNRESET') problems.push(error);
  });
  await once(socket, 'connect');
  socket.write(head);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  received.push(first);
  between();
  socket.on('data', (piece: Buffer) => received.push(piece));
  socket.resume();
  await closed;
  assert.deepEqual(problems, []);
  return Buffer.concat(received);
}

for (const target of ON_SQLITE) {
  test(`on ${target.name}, a list that fails half-way never looks complete`, async (t) => {
    const pets = Array.from({ length: PETS }, (_, i) => ({
      petId: MIN_PET_ID + BigInt(i),
      quantity: 5,
    }));
    const service = await target.start(t, { pets });
    const head = (connection: string) =>
      [
        'GET /v1/inventory?quantityGte=0 HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${service.key}`,
        `Connection: ${connection}`,
        '\r\n',
      ].join('\r\n');

    const whole = await readAround(service.port, head('close'), () => {});
    const wholeText = whole.toString('latin1');
    assert.match(wholeText, /^HTTP\/1\.1 200 /);
    assert.ok(wholeText.includes('"petId":1000000000000249999,'), 'the last pet is in it');
    assert.ok(wholeText.trimEnd().endsWith('\r\n0'), 'the last chunk is empty');

    const broken = await readAround(service.port, head('keep-alive'), () => {
      const database = new DatabaseSync(join(service.databaseDir, 'petstore.db'));
      database.exec('PRAGMA busy_timeout = 5000; ALTER TABLE inventory RENAME TO hidden');
      database.close();
    });
    const text = broken.toString('latin1');
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.ok(text.length < wholeText.length, 'the list was not read to its end');
    assert.doesNotMatch(text.slice(-20), /\r\n0\r\n\r\n$/, 'no empty chunk ends it');
    assert.ok(!text.includes(']'), 'nor does a bracket');
  });
}
