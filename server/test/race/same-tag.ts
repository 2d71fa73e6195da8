import assert from 'node:assert/strict';
import { errorOf, request } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import { Progress } from '../support/progress.ts';
import { parsePetIds } from './checker/movement-pages.ts';
import { answerOf, openAll } from './raw-clients.ts';
import type { Stage } from './stage.ts';

export interface SameTagOptions {
  readonly writers: number;
  /** The number of consecutive versions that they write for. */
  readonly versions: number;
  readonly petId: bigint;
}

interface Item {
  readonly quantity: number;
  readonly version: number;
}

/**
 * Many writers, each on its own connection, send the same entity tag in `If-Match` concurrently. Asserts that exactly
 * one per version gets 200, and every other gets 412 with the new stock.
 */
export async function sameTagOnce(
  { keys, ports }: Stage,
  { writers, versions, petId }: SameTagOptions,
): Promise<void> {
  const { key } = keys[0]!;
  const sockets = await openAll(writers, ports());
  const path = `/v1/inventory/${petId}`;
  const look = async () => {
    const { headers, body } = await request({ port: ports()[0]! }, { path, key });
    return { tag: headers.get('etag') ?? '', item: parsePetIds(String(body)) as Item };
  };
  let { tag, item } = await look();
  const progress = new Progress('versions', versions);
  for (let round = 1; round <= versions; round += 1) {
    const quantities = sockets.map((_, index) => round * writers + index + item.quantity);
    for (const [index, socket] of sockets.entries()) {
      const body = `{"quantity":${quantities[index]}}`;
      socket.send(
        `PATCH ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nIf-Match: ${tag}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
    const answers = await Promise.all(sockets.map(answerOf));
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
    assert.equal(won.length, 1, `${won.length} of ${writers} writers had version ${item.version}`);
    const winner = answers[won[0]!]!;
    const after = await look();
    assert.deepEqual(
      [after.item.version, after.item.quantity, after.tag],
      [item.version + 1, quantities[won[0]!], winner.headers.get('etag')],
    );
    for (const answer of answers) if (answer !== winner) assertBeaten(answer, after);
    ({ tag, item } = after);
    progress.step();
  }
  for (const socket of sockets) socket.destroy();
}

function assertBeaten(answer: RawResponse, { tag, item }: { tag: string; item: Item }): void {
  assert.equal(answer.status, 412, String(answer.body));
  assert.equal(errorOf(answer).code, 'precondition_failed');
  assert.equal(answer.headers.get('etag'), tag);
  assert.equal(answer.headers.get('inventory-version'), String(item.version));
  assert.equal(answer.headers.get('inventory-quantity'), String(item.quantity));
}
