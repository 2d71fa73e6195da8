import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from '../api-request.ts';
import { testTargets } from '../targets.ts';
import { answerOf, startUploads } from './uploading.ts';

const ROWS = 1_000_000;
/** The plan is in the database: only pieces of it are in memory. */
const MAX_GROWTH_BYTES = 450_000_000;
const FINISHED_TIMEOUT_MS = 300_000;

interface ImportJson {
  readonly state: string;
  readonly checkedBytes: number;
  readonly byteCount: number;
  readonly counts: unknown;
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

for (const target of testTargets()) {
  test(`on ${target.name}, a file of ${ROWS} rows is planned with progress and applied, in bounded memory`, async (t) => {
    const uploading = await startUploads(t, target);
    const { service, key } = uploading;
    const before = residentBytes(service.pid);
    let peak = before;
    const shown = new Set<number>();
    const until = async (id: string, state: string): Promise<ImportJson> => {
      for (const deadline = Date.now() + FINISHED_TIMEOUT_MS; ; await delay(100)) {
        const found = (await uploading.get(`/${id}`)) as unknown as ImportJson;
        assert.ok(found.checkedBytes >= Math.max(0, ...shown), 'progress never goes back');
        shown.add(found.checkedBytes);
        peak = Math.max(peak, residentBytes(service.pid));
        if (found.state === state) return found;
        assert.ok(Date.now() < deadline, `in time: ${JSON.stringify(found)}`);
      }
    };
    const rows = Array.from({ length: ROWS }, (_, i) => `${i + 1},${i % 100},Pet ${i},Dogs\n`);
    const file = `petId,quantity,name,category\n${rows.join('')}`;
    const socket = await uploading.open({ 'Content-Length': String(file.length) });
    socket.send(file);
    const { id } = JSON.parse((await answerOf(socket, FINISHED_TIMEOUT_MS)).body.toString()) as {
      id: string;
    };
    const planned = await until(id, 'planned');
    assert.deepEqual(planned.counts, { new: ROWS, changed: 0, unchanged: 0 });
    assert.equal(planned.checkedBytes, planned.byteCount);
    assert.ok(shown.size > 20, `${shown.size} steps of progress`);
    await request(service, { method: 'POST', path: `/admin/v1/imports/${id}/apply`, key });
    await until(id, 'applied');
    t.diagnostic(`${Math.round((peak - before) / 1e6)} MB more`);
    assert.ok(peak - before < MAX_GROWTH_BYTES, `${peak - before} bytes more`);
    const { body } = await request(service, { path: `/admin/v1/inventory/${ROWS}`, key });
    assert.match(body.toString(), new RegExp(`"petId":${ROWS},"quantity":99,`));
  });
}
