import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../src/domain/access/principal.ts';
import type { ManagementStore } from '../../src/domain/admin-store.ts';
import type { ExportPage, ExportQuery } from '../../src/domain/management/pet-export.ts';
import type { PetRowsPage } from '../../src/domain/management/pet-rows.ts';
import type { PetStore } from '../../src/domain/management/pet-store.ts';
import { exportPets } from '../../src/http/admin/export-pets.ts';
import { OpenExports } from '../../src/http/admin/open-exports.ts';
import { listPetRows } from '../../src/http/admin/pets.ts';
import { bindOperation, perform } from '../../src/http/request/bound-operation.ts';
import { RequestContext } from '../../src/http/request/request-context.ts';
import type { IncomingRequest } from '../../src/listen/exchange.ts';

/** A GET whose client waits for the response. */
function get(target: string): IncomingRequest {
  return {
    method: 'GET',
    target,
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
    header: () => null,
    readBody: () => Promise.resolve(undefined),
    async *readPieces() {},
  };
}

/** The whole file that an operation makes of the pages of a store. */
async function fileOf(
  operation: typeof exportPets | typeof listPetRows,
  query: string,
  pets: Partial<PetStore>,
) {
  const stores = { pets } as unknown as ManagementStore;
  const services = { baseUrl: '', management: stores, exporting: stores, openExports: new OpenExports() };
  const context = new RequestContext(get(`/admin/v1/pets?${query}`), 0, { isDraining: false });
  context.principal = { key: { id: 'key_1', role: 'viewer' } } as Principal;
  context.windows = [{ name: 'minute', limit: 60, remaining: 60, resetAtMs: 60_000 }];
  assert.ok(operation.management);
  const { status, body } = await perform(bindOperation(operation.management, services), context, () => '');
  assert.equal(status, 200);
  return new Response(body as ReadableStream).text();
}

test('each page of an export is of the moment of the first one, and continues after it', async () => {
  const queries: ExportQuery[] = [];
  const pages: Partial<ExportPage>[] = [
    { text: '', count: 0, next: 5n, sequence: 7 },
    { text: ',{"petId":6}', count: 1, next: 6n, sequence: 9 },
    { text: '', count: 0, next: 8n, sequence: 9 },
    { text: ',{"petId":9}', count: 1, sequence: 9 },
  ];
  const exportPage = async (query: ExportQuery) => {
    queries.push(query);
    return pages[queries.length - 1] as ExportPage;
  };
  const text = await fileOf(exportPets, 'format=json&q=%20', { exportPage });
  assert.deepEqual(JSON.parse(text), [{ petId: 6 }, { petId: 9 }]);
  assert.deepEqual(
    queries.map(({ sequence, after, query }) => [sequence, after, query]),
    [
      [undefined, undefined, undefined],
      [7, 5n, undefined],
      [7, 6n, undefined],
      [7, 8n, undefined],
    ],
  );
});

test('the list of all pets has every page', async () => {
  const places: unknown[] = [];
  const rowsPage = async (after?: unknown) => {
    places.push(after);
    const page = places.length;
    return { text: `[${page}]\n`, sequence: 7, next: page < 4 ? page : undefined } as unknown as PetRowsPage;
  };
  const [, ...lines] = (await fileOf(listPetRows, '', { rowsPage })).split('\n');
  assert.deepEqual(
    [lines, places],
    [
      ['[1]', '[2]', '[3]', '[4]', ''],
      [undefined, 1, 2, 3],
    ],
  );
});
