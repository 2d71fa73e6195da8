import type { Bench } from '../compare.ts';
import { median } from '../compare.ts';
import { importOverHttp } from '../import-over-http.ts';
import { type Row, row } from '../report.ts';
import { type Engine, makeShop } from '../shop.ts';

const PETS = 100_000;
const ROUNDS = 3;

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
