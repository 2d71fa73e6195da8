import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import type { Change } from '../../src/domain/ledger/stock.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import {
  type NewCount,
  type NewStocktake,
  type Stocktake,
  type StocktakeLine,
  varianceOf,
} from '../../src/domain/management/stocktakes.ts';
import type { SingleResult } from '../../src/domain/write-command.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';

export const ADA = { actor: 'key_ada', actorName: 'Ada', requestId: 'req-1' };
export const BEN = { actor: 'key_ben', actorName: 'Ben', requestId: 'req-2' };

const NOT_EXPLAINED = { reason: null, note: null, referenceDocumentUri: null, occurredAtMs: null };

/** A shop with pets 1 to 5: Dogs 1, 3 and 5, Cats 2 and 4, each with 10 times its id. */
export async function stocktakeShop(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const rows = [1, 2, 3, 4, 5].map((petId) =>
    petRow(petId, {
      name: `Pet ${petId}`,
      category: petId % 2 === 1 ? 'Dogs' : 'Cats',
      quantity: petId * 10,
    }),
  );
  await store.importPets(rows, 'cli');
  const { stocktakes } = store;
  const write = async (change: Change) => {
    const result = (await store.write({ kind: 'change', change }, CLI_AUTHOR)) as SingleResult;
    assert.equal(result.code, 'done');
    return result.stock?.lastSequence ?? 0;
  };
  return {
    store,
    database,
    stocktakes,
    start: (fields: Partial<NewStocktake> = {}): Promise<Stocktake> =>
      stocktakes.start({ name: 'Autumn', scope: {}, posting: 'at_count', ...fields }, ADA),
    count: (id: string, petId: number, counted: number, fields: Partial<NewCount> = {}, by = ADA) =>
      stocktakes.count(id, { petId: BigInt(petId), counted, note: null, occurredAtMs: null, ...fields }, by),
    /** Takes units as a sale does. */
    sell: (petId: number, units: number) => write({ kind: 'adjust', petId: BigInt(petId), delta: -units }),
    /** Sets a quantity as a till does, which names a stock-take. */
    set: (petId: number, quantity: number, referenceId: string | null) =>
      write({
        kind: 'set',
        petId: BigInt(petId),
        quantity,
        explanation: { ...NOT_EXPLAINED, reason: 'cycle_count', referenceId },
      }),
    revert: async (sequence: number) => {
      const result = (await store.write({ kind: 'revert', sequence }, CLI_AUTHOR)) as SingleResult;
      assert.equal(result.code, 'done');
      return result.movement?.sequence ?? 0;
    },
    stock: async (petId: number) => (await store.pets.find(BigInt(petId))).quantity,
    /** The report as `[petId, expected, counted, variance, posted, counts, who]`. */
    report: async (id: string, differs?: boolean) =>
      linesOf((await stocktakes.lines(id, { limit: 100, differs })).lines),
    uncounted: async (id: string) =>
      (await stocktakes.uncounted(id, { limit: 100 })).pets.map(({ petId }) => Number(petId)),
    assertIntact: async () => assert.deepEqual((await store.verify()).faults, []),
  };
}

function linesOf(lines: readonly StocktakeLine[]) {
  return lines.map((line) => [
    Number(line.petId),
    line.expected,
    line.counted,
    varianceOf(line),
    line.posted,
    line.counts,
    line.actor,
  ]);
}

export async function assertRefused(work: Promise<unknown>, code: string, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof OperatorError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
}
