import type { AdminStore } from '../../../src/domain/admin-store.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { ImportRunner } from '../../../src/management/jobs/import-runner.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { until } from '../../support/until.ts';
import type { Examination } from './examination.ts';
import { MOVEMENTS, ORDERS, PETS } from './large-shop.ts';

/** The commands about accounts, keys and bans, which do not grow with pets. */
export async function accountCommands(of: Examination): Promise<void> {
  const limits = ['--plan', 'enterprise', '--per-minute', '1000000000', '--per-day', '1000000000'];
  const name = `shop on ${of.engine}`;
  await of.command('accounts create', [name, ...limits]);
  await of.command('accounts set-plan', [name, ...limits]);
  await of.command('accounts list');
  const { key, id } = await of.command('keys create', ['--account', name]);
  of.shop.key ||= String(key);
  const { id: other } = await of.command('keys rotate', [String(id), '--overlap', '24h']);
  await of.command('keys revoke', [String(other), '--yes']);
  await of.command('keys list');
  await of.command('bans list');
  await of.command('bans lift', [String(id)]);
  await of.command('accounts usage', [name]);
  await of.command('accounts usage', ['--unit', 'day', '--since', '2026-01-01']);
  const made = await of.command('admin-keys create', ['--role', 'administrator', '--name', name]);
  await of.command('login-link');
  const { id: newer } = await of.command('admin-keys rotate', [String(made.id)]);
  await of.command('admin-keys revoke', [String(newer), '--yes']);
  await of.command('admin-keys list');
}

/** The commands about orders and thresholds. The default of these thresholds makes half of all pets low. */
export async function orderCommands(of: Examination): Promise<void> {
  await of.command('orders list', ['--limit', '10000']);
  await of.command('orders list', ['--pet', String(PETS), '--status', 'placed']);
  await of.command('orders show', [String(ORDERS)]);
  await of.command('orders expire', [String(ORDERS), '--yes']);
  await of.command('pets thresholds', ['--default', '--low', '50', '--restock', '60']);
}

async function sentImport({ imports }: AdminStore, file: string): Promise<string> {
  const id = await imports.begin({ format: 'csv', mode: 'add', fileName: null, actor: 'cli' });
  await imports.addPart(id, 0, Buffer.from(file));
  await imports.complete(id, CLI_AUTHOR);
  return id;
}

async function appliedImport(admin: AdminStore, file: string): Promise<string> {
  const id = await sentImport(admin, file);
  const runner = new ImportRunner(admin.importJobs, Number.MAX_SAFE_INTEGER, () => false);
  const reach = (state: string) =>
    // The service may be faster.
    until(async () => {
      await runner.runNext();
      return (await admin.imports.find(id))?.state === state;
    }, `the import is ${state}`);
  await reach('planned');
  await admin.imports.apply(id, CLI_AUTHOR);
  await reach('applied');
  return id;
}

/** The commands about pets, and about imports, of which one is unfinished. */
export async function petCommands(of: Examination): Promise<void> {
  const added = String(PETS + 1);
  await of.command('pets create', [added, '--name', 'Added later']);
  await of.command('pets edit', [added, '--category', 'Late']);
  await of.command('pets set', [added, '3']);
  await of.command('pets adjust', [added, '-3']);
  await of.command('pets change', [added, '--set', 'category=Later', '--yes']);
  await of.command('inventory set', [added, '3']);
  await of.command('inventory adjust', [added, '-3']);
  await of.command('inventory get', [added]);
  await of.command('pets show', [added]);
  await of.command('pets archive', [added]);
  await of.command('pets restore', [added]);
  await of.command('pets create', ['4611686018427387904']);
  await of.command('pets delete', ['4611686018427387904', '--yes']);
  await of.command('pets list', ['--status', 'sold', '--limit', '10000']);
  await of.command('pets search', ['Added', 'later']);
  await of.command('pets export', [of.shop.file(`${of.engine}.csv`)]);
  await of.command('pets reorders set', [added, '--ordered', '140', '--supplier', 'Zoo Wholesale']);
  await of.command('pets reorders list', ['--limit', '10000']);
  await of.command('pets reorders export', [of.shop.file(`${of.engine}-reorders.csv`)]);
  const admin = await openAdmin(of.shop.database);
  const applied = await appliedImport(admin, `petId,quantity\n${added},1\n`);
  const id = await sentImport(admin, 'petId,quantity\n1,1\n');
  const columns = [{ heading: 'Number', field: 'sku' }] as const;
  const mapping = { columns, decimal: null, encoding: null, sheet: null };
  await admin.importMappings.set('Supplier', mapping, CLI_AUTHOR);
  await admin.close();
  await of.command('pets mappings list');
  await of.command('pets mappings show', ['Supplier']);
  await of.command('pets mappings delete', ['Supplier']);
  await of.command('pets imports undo', [applied, '--yes']);
  await of.command('pets imports list');
  await of.command('pets imports show', [id]);
  await of.command('pets imports cancel', [id]);
  await of.command('pets imports delete', [id]);
  await of.command('activity', ['--limit', '10000']);
}

/** The commands about a stock-take of all pets, of which few are counted. */
export async function stocktakeCommands(of: Examination): Promise<void> {
  const admin = await openAdmin(of.shop.database);
  const { id } = await admin.stocktakes.start({ name: 'All', scope: {}, posting: 'at_count' }, CLI_AUTHOR);
  const counter = { ...CLI_AUTHOR, actorName: 'cli' };
  for (let petId = 1n; petId <= 10n; petId += 1n) {
    await admin.stocktakes.count(id, { petId, counted: 7, note: null, occurredAtMs: null }, counter);
  }
  await admin.stocktakes.close(id, CLI_AUTHOR);
  await admin.close();
  await of.command('stocktakes list');
  await of.command('stocktakes show', [id]);
  await of.command('stocktakes report', [id]);
  await of.command('report stock', ['--by', 'pet']);
  await of.command('report movements', ['--by', 'pet']);
  await of.command('report variance', ['--by', 'pet']);
}

/** The commands about webhook endpoints. */
export async function webhookCommands(of: Examination): Promise<void> {
  const url = 'https://shop.example/hooks';
  const created = await of.command('webhooks create', [url, '--account', `shop on ${of.engine}`]);
  const endpoint = [(created as { endpoint: { id: string } }).endpoint.id];
  await of.command('webhooks update', [...endpoint, '--description', 'till']);
  await of.command('webhooks show', endpoint);
  await of.command('webhooks list');
  await of.command('webhooks deliveries', endpoint);
  await of.command('webhooks replay', [...endpoint, '--after', `${MOVEMENTS / 2}.0`]);
  await of.command('webhooks pause', endpoint);
  await of.command('webhooks resume', endpoint);
  await of.command('webhooks rotate', endpoint);
  // Its host does not exist.
  await of.command('webhooks resend', [...endpoint, '--event', `${MOVEMENTS / 2}.0`], 1);
  await of.command('webhooks test', endpoint, 1);
  await of.command('webhooks delete', [...endpoint, '--yes']);
}
