import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { installOffline, pack } from '../../../test/release/packages.ts';
import type { Bench } from '../compare.ts';
import type { Row } from '../report.ts';
import { makeShop } from '../shop.ts';
import { idleRows } from './hundred-thousand.ts';

/** The package as a release has it, installed in an empty folder. */
export async function measurePackage(bench: Bench): Promise<Row[]> {
  const folder = mkdtempSync(join(bench.directory, 'package-'));
  const shop = installOffline(folder, [pack('server', folder)]);
  const service = join(shop, 'node_modules/@petstore-inventory/server/bin/petstore-server.js');
  return idleRows(await makeShop({ ...bench, service }, 100), {
    where: 'idle package with 100 pets',
    atMostMb: 89.1,
    atMostSeconds: 0.5,
  });
}
