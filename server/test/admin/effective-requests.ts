import type { OrderStep } from '@petstore-inventory/shared/words';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import type { TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { until } from '../support/until.ts';
import { sessionOf, signIn } from './cookie-requests.ts';
import type { AdminRequest } from './requests.ts';

/** A request for an import that is checked, or applied. */
function ofImport(suffix: string, status: number, reached: 'planned' | 'applied' = 'planned'): AdminRequest {
  const path = async ({ admin }: TestApp) => {
    const id = await admin.imports.begin({
      format: 'csv',
      // Each changes something.
      mode: 'add',
      fileName: null,
      actor: CLI_AUTHOR.actor,
    });
    await admin.imports.addPart(id, 0, Buffer.from('petId,quantity\n1,50\n'));
    await admin.imports.complete(id, CLI_AUTHOR);
    const runner = new ImportRunner(admin.importJobs, Number.MAX_SAFE_INTEGER, () => false);
    const reach = (state: string) =>
      // The thread of the app may be faster.
      until(async () => {
        await runner.runNext();
        const found = await admin.imports.find(id);
        // An order of the pet may have expired since the plan.
        if (found?.state === 'stale') await admin.imports.plan(id, CLI_AUTHOR);
        if (found?.state === 'planned' && state === 'applied') await admin.imports.apply(id, CLI_AUTHOR);
        return found?.state === state;
      }, `the import is ${state}`);
    await reach('planned');
    if (reached === 'applied') await reach('applied');
    return `/imports/${id}${suffix}`;
  };
  return { path, status };
}

/** A request for a closed stock-take. */
function ofClosedStocktake(suffix: string): AdminRequest {
  const path = async ({ admin: { stocktakes } }: TestApp) => {
    const { id } = await stocktakes.start({ name: 'Autumn', scope: {}, posting: 'at_count' }, CLI_AUTHOR);
    await stocktakes.close(id, CLI_AUTHOR);
    return `/stocktakes/${id}${suffix}`;
  };
  return { path, status: 200 };
}

/** A request for a bulk change that is planned, or applied. */
function ofBulkChange(verb: 'apply' | 'undo' | 'cancel', status: number): AdminRequest {
  // The change of another request may still be applied: each has its own pet.
  const petId = { apply: 6n, undo: 16n, cancel: 26n }[verb];
  const path = async ({ admin }: TestApp) => {
    await admin.importPets([petRow(petId, 1)], 'cli');
    const { bulkChanges, bulkJobs } = admin;
    const { id } = await bulkChanges.create({ petIds: [petId] }, { category: `For ${verb}` }, CLI_AUTHOR);
    const reach = (state: string) =>
      // The thread of the app may be faster.
      until(async () => {
        await bulkJobs.runNext();
        return (await bulkChanges.find(id)).state === state;
      }, `the bulk change is ${state}`);
    await reach('planned');
    if (verb === 'undo') {
      await bulkChanges.apply(id, CLI_AUTHOR);
      await reach('applied');
    }
    return `/bulk-changes/${id}/${verb}`;
  };
  return { path, status };
}

/** A request for a placed order, after these steps. */
function ofOrder(step: OrderStep, before: readonly OrderStep[] = []): AdminRequest {
  const path = async ({ admin }: TestApp) => {
    const lines = [{ petId: 1n, quantity: 1 }];
    const placed = await admin.write(
      { kind: 'place', lines, expiresAtMs: null, explanation: UNEXPLAINED },
      CLI_AUTHOR,
    );
    if (placed.kind !== 'order' || !placed.order) throw new Error(placed.code);
    const { orderId } = placed.order;
    for (const done of before) await admin.write({ kind: 'step', step: done, orderId }, CLI_AUTHOR);
    return `/store/orders/${orderId}/${step}`;
  };
  return { path, status: 200 };
}

/** Requests that have an effect, of the actions whose request in the table of all operations has none. */
export const EFFECTIVE_REQUESTS: Readonly<Record<string, AdminRequest>> = {
  liftBan: {
    path: async (app) => {
      const { principal } = await app.makeKey();
      const values = `('${principal.key.id}', 1, 0, ${Date.UTC(2100, 0, 1)})`;
      await app.database.run(`INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ${values}`);
      return `/keys/${principal.key.id}/lift-ban`;
    },
    status: 200,
  },
  revokeSession: {
    path: async (app) => {
      const { key } = await app.makeAdminKey('viewer');
      return `/sessions/${sessionOf(await signIn(app, { key })).sessionId}`;
    },
    status: 204,
  },
  applyBulkChange: ofBulkChange('apply', 202),
  undoBulkChange: ofBulkChange('undo', 202),
  cancelBulkChange: ofBulkChange('cancel', 200),
  planImport: ofImport('/plan', 202),
  applyImport: ofImport('/apply', 202),
  undoImport: ofImport('/undo', 202, 'applied'),
  cancelImport: ofImport('/cancel', 200),
  deleteImport: ofImport('', 204),
  deleteImportMapping: { path: newMappingPath, status: 204 },
  undoStocktake: ofClosedStocktake('/undo'),
  testWebhookEndpoint: {
    path: async ({ admin, principal }) => {
      const endpoint = { accountId: principal.account.id, url: 'https://shop.invalid/' };
      const made = await admin.webhooks.create(endpoint, 1_000, CLI_AUTHOR);
      return `/webhook-endpoints/${made.endpoint.id}/test`;
    },
    status: 200,
  },
  resendWebhookEvent: {
    path: async (app) => {
      const { admin, principal } = app;
      const endpoint = { accountId: principal.account.id, url: 'https://shop.invalid/' };
      const made = await admin.webhooks.create(endpoint, 1_000, CLI_AUTHOR);
      await admin.webhooks.pause(made.endpoint.id, CLI_AUTHOR);
      await admin.importPets([petRow(9n, 1)], 'cli');
      const change = { kind: 'adjust', petId: 9n, delta: 1 } as const;
      const written = await admin.write({ kind: 'change', change }, CLI_AUTHOR);
      if (written.kind !== 'single') throw new Error(written.kind);
      return `/webhook-endpoints/${made.endpoint.id}/resend?event=${written.movement?.sequence}.0`;
    },
    status: 200,
  },
  revertMovement: {
    path: async ({ admin }) => {
      await admin.importPets([petRow(9n, 1)], 'cli');
      const change = { kind: 'adjust', petId: 9n, delta: 1 } as const;
      const written = await admin.write({ kind: 'change', change }, CLI_AUTHOR);
      if (written.kind !== 'single') throw new Error(written.kind);
      return `/movements/${written.movement?.sequence}/revert`;
    },
    status: 201,
  },
  pruneLedger: {
    path: async ({ admin }) => {
      for (const quantity of [1, 2]) await admin.importPets([petRow(7n, quantity)], 'cli', quantity);
      return '/ledger/prune';
    },
    body: '{"keepDays":1,"acceptClock":true}',
    status: 200,
  },
  approveOrder: ofOrder('approve'),
  deliverOrder: ofOrder('deliver', ['approve']),
  cancelOrder: ofOrder('cancel'),
  returnOrder: ofOrder('return', ['approve', 'deliver']),
  expireOrder: ofOrder('expire'),
  archivePet: {
    path: async ({ admin }) => {
      await admin.importPets([petRow(8n, 0)], 'cli');
      return '/pets/8/archive';
    },
    status: 200,
  },
  restorePet: { path: '/pets/8/restore', status: 200 },
  deletePet: {
    path: async ({ admin }) => {
      await admin.importPets([petRow(9n, 4)], 'cli');
      return '/pets/9';
    },
    status: 204,
  },
};

/** The path of a mapping that is made. */
export async function newMappingPath({ admin }: TestApp): Promise<string> {
  const columns = [{ heading: 'Artikel', field: 'sku' as const }];
  const mapping = { columns, decimal: null, encoding: null, sheet: null };
  const { name } = await admin.importMappings.set('Old shop', mapping, CLI_AUTHOR);
  return `/import-mappings/${encodeURIComponent(name)}`;
}
