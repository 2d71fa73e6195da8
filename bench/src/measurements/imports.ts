import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../compare.ts';
import { median } from '../compare.ts';
import { type Row, row } from '../report.ts';
import { type Engine, makeShop } from '../shop.ts';

const PETS = 100_000;
const ROUNDS = 3;
const PREVIEWED = 100;
/** Management keys have 1,200 requests per minute. */
const POLL_MS = 60;

/** An import over HTTP as upload, plan, preview and apply, compared with `pets import` of the same size. */
export function measureImports(bench: Bench): Promise<Row[]> {
  return measureOn(bench, 'SQLite');
}

export function measurePostgresImports(bench: Bench): Promise<Row[]> {
  return measureOn(bench, 'PostgreSQL');
}

async function measureOn(bench: Bench, engine: Engine): Promise<Row[]> {
  const shop = await makeShop(bench, PETS, engine);
  const key = await shop.makeStaffKey();
  await using service = await shop.start();
  const direct: number[] = [];
  const planned: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    direct.push(await shop.reimport());
    planned.push(await importOverHttp(service.port, key, shop.nextFile()));
  }
  return [
    row({
      work: `import of ${PETS.toLocaleString('en-US')} changed pets as plan, preview and apply${engine === 'PostgreSQL' ? ' on PostgreSQL' : ''}, compared with \`pets import\``,
      values: planned.map((seconds, round) => seconds / (direct[round] as number)),
      unit: 'x',
      digits: 2,
      atMost: 3,
      detail: `${median(planned).toFixed(2)} s over HTTP, ${median(direct).toFixed(2)} s for the command`,
    }),
  ];
}

/** Returns the seconds from the upload to the applied import. */
async function importOverHttp(port: number, key: string, file: string): Promise<number> {
  const startedAtMs = performance.now();
  const send = async (method: string, path: string, body?: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/admin/v1/imports${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv' },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const settled = async (id: string, waiting: string, wanted: string) => {
    for (;;) {
      const { state } = (await send('GET', `/${id}`)) as { state: string };
      if (state === wanted) return;
      if (state !== waiting) throw new Error(`an import is ${state}`);
      await sleep(POLL_MS);
    }
  };
  const { id } = (await send('POST', '', file)) as { id: string };
  await settled(id, 'checking', 'planned');
  const rows = (await send('GET', `/${id}/rows?effect=changed&limit=${PREVIEWED}`)) as unknown[];
  if (rows.length !== PREVIEWED) throw new Error(`the preview has ${rows.length} rows`);
  await send('POST', `/${id}/apply`);
  await settled(id, 'applying', 'applied');
  return (performance.now() - startedAtMs) / 1_000;
}
