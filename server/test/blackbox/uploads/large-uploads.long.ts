import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { testTargets } from '../targets.ts';
import { settled, startUploads, type Uploading } from './uploading.ts';

/** A quote that never ends: the check reads only the beginning. */
const START = Buffer.from('petId,quantity\n1,"');
const PIECE = Buffer.alloc(1_000_000, 'x');
const PIECES = 200;
/** V8 collects the pieces that it has read when they have about 64 MB. */
const MAX_GROWTH_BYTES = 140_000_000;

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Uploads a small file, which starts the threads. Returns the memory of the service after it. */
async function uploadSmall(uploading: Uploading): Promise<number> {
  const socket = await uploading.open({ 'Content-Length': String(START.length) });
  socket.send(START);
  await settled(uploading, socket);
  return residentBytes(uploading.service.pid);
}

/** Uploads a large file. Returns the most memory that the service had. */
async function upload(uploading: Uploading): Promise<number> {
  const { pid } = uploading.service;
  let peak = 0;
  const socket = await uploading.open({ 'Content-Length': String(START.length + PIECE.length * PIECES) });
  socket.send(START);
  for (let sent = 0; sent < PIECES; sent += 1) {
    socket.send(PIECE);
    await until(() => socket.unsentBytes < 4_000_000 || socket.isClosed, 'the service reads');
    peak = Math.max(peak, residentBytes(pid));
  }
  assert.equal((await settled(uploading, socket)).state, 'invalid');
  return peak;
}

for (const target of testTargets()) {
  test(`on ${target.name}, large uploads one after the other take the memory of one`, async (t) => {
    const uploading = await startUploads(t, target);
    const before = await uploadSmall(uploading);
    const peaks = [await upload(uploading), await upload(uploading), await upload(uploading)];
    t.diagnostic(
      `${Math.round(before / 1e6)} MB, then ${peaks.map((peak) => Math.round(peak / 1e6)).join(', ')} MB`,
    );
    const [first = 0, , third = 0] = peaks;
    assert.ok(first - before < MAX_GROWTH_BYTES, `${first - before} bytes more for ${PIECES} MB`);
    assert.ok(third < first * 1.25, `${third} after ${first} bytes`);
    assert.ok(uploading.service.isAlive(), uploading.service.logs());
  });
}
