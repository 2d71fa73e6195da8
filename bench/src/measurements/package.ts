import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { installOffline, pack } from '../../../test/release/packages.ts';
import type { Bench } from '../compare.ts';
import type { Row } from '../report.ts';
import { makeShop } from '../shop.ts';
import { idleRows } from './hundred-thousand.ts';

/** The launcher of the package as a release has it, installed in an empty folder. */
export function installPackage(bench: Bench): string {
  const folder = mkdtempSync(join(bench.directory, 'package-'));
  const shop = installOffline(folder, [pack('server', folder)]);
  return join(shop, 'node_modules/@petstore-inventory/server/bin/petstore-server.js');
}

export async function measurePackage(bench: Bench): Promise<Row[]> {
  return idleRows(await makeShop({ ...bench, service: installPackage(bench) }, 100), {
    where: 'idle package with 100 pets',
    atMostMb: 89.1,
    atMostSeconds: 0.5,
  });
}
