import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { testTargets } from '../targets.ts';
import { answerOf, settled, startUploads } from './uploading.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** The check of this file takes several times as long as all else. */
const ROWS = 400_000;
const LARGE = `petId,quantity,name\n${Array.from({ length: ROWS }, (_, i) => `${i},1,Pet ${i}\n`).join('')}`;
const SMALL = 'petId,quantity\n1,1\n';

for (const target of testTargets()) {
  test(`on ${target.name}, an import that the command line cancels frees the service for the next one`, async (t) => {
    if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
    const uploading = await startUploads(t, target);
    const { service, open, get } = uploading;
    const send = async (file: string) => {
      const socket = await open({ 'Content-Length': String(file.length) });
      socket.send(file);
      return socket;
    };
    const { id } = JSON.parse((await answerOf(await send(LARGE))).body.toString()) as { id: string };
    const checkedBytes = async () => Number((await get(`/${id}`)).checkedBytes);
    const beganAtMs = performance.now();
    let read = 0;
    await until(async () => {
      read = await checkedBytes();
      return read > 0;
    }, 'the service checks the file');
    const msPerByte = (performance.now() - beganAtMs) / read;

    await service.cli('pets', 'imports', 'cancel', id);
    const cancelledAtMs = performance.now();
    const next = await settled(uploading, await send(SMALL));
    const tookMs = performance.now() - cancelledAtMs;
    assert.deepEqual([next.state, next.counts], ['planned', { new: 1, changed: 0, unchanged: 0 }]);
    const { state, checkedBytes: last } = await get(`/${id}`);
    assert.equal(state, 'cancelled');
    const restMs = (LARGE.length - Number(last)) * msPerByte;
    t.diagnostic(`next import after ${Math.round(tookMs)} ms; the rest takes ${Math.round(restMs)} ms`);
    assert.ok(tookMs < restMs / 2, `${tookMs} ms, and ${restMs} ms for the rest of the file`);
    assert.ok(service.isAlive(), service.logs());
  });
}
