import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/command-line.ts';

/** The time of the ledger's movement 0; later ones follow in steps. */
export const BEGAN_AT = Date.UTC(2025, 0, 30, 5);
export const STEP_MS = 5 * 3_600_000 + 17_000;
const WRITES = 260;

export interface ReportRow extends Readonly<Record<string, unknown>> {
  readonly petId: number | null;
}

/** Numbers that look random, the same in each run. */
function randoms(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const NO_EXPLANATION = { note: null, referenceId: null, referenceDocumentUri: null, occurredAtMs: null };

/**
 * A shop with pets 1 to 6, of which 3 and 6 have no category, a pet that was deleted, an archived one, and some hundred
 * movements of all kinds.
 * @param areApart Whether they are five hours apart, for which their hashes become wrong.
 */
export async function reportShop(t: TestContext, areApart = true) {
  const made = await adminShop(t, 'administrator', {
    nowMs: 'now',
    pets: [1, 2, 3, 4, 5, 6].map((petId) =>
      petRow(petId, {
        name: petId === 6 ? '=1+1' : `Pet ${petId}`,
        category: [null, 'Dogs', 'Cats'][petId % 3] ?? null,
        quantity: petId * 10,
      }),
    ),
  });
  const { app, send } = made;
  const post = async (target: string, body: object = {}) => {
    const answer = await send('POST', `/admin/v1${target}`, body);
    assert.ok(answer.status < 300, `${target}: ${answer.text}`);
  };
  const below = randoms();
  const changes = Array.from({ length: WRITES }, () => ({
    kind: 'set' as const,
    // Pet 2 has more than one statement follows.
    petId: BigInt(below(2) === 0 ? 2 : 1 + below(5)),
    quantity: below(100),
    explanation: {
      ...NO_EXPLANATION,
      reason: (['received', 'sold', 'damaged', 'shrinkage', null] as const)[below(5)] ?? null,
    },
  }));
  const half = WRITES / 2;
  const write = (part: typeof changes) =>
    app.admin.write(
      { kind: 'batch', changes: part, errorPolicy: 'reject_everything', isDryRun: false },
      CLI_AUTHOR,
    );
  await write(changes.slice(0, half));
  await post('/pets', { petId: 7, name: 'Mistake', category: 'Dogs', quantity: 3 });
  assert.equal((await send('DELETE', '/admin/v1/pets/7')).status, 204);
  await post('/inventory/6/adjustments', { delta: -60, reason: 'sold' });
  await post('/pets/6/archive');
  await post('/inventory/1/adjustments', { delta: 50, reason: 'received' });
  await post('/store/orders', { lines: [{ petId: 1, quantity: 5 }] });
  await post('/store/orders', { lines: [{ petId: 1, quantity: 2 }] });
  await post('/store/orders/1/approve');
  await post('/store/orders/1/deliver');
  await post('/store/orders/1/return', { lines: [{ petId: 1, quantity: 1 }] });
  const recorded = async (target: string, body?: object): Promise<number> => {
    const answer = await send('POST', `/admin/v1${target}`, body);
    assert.equal(answer.status, 201, answer.text);
    return Number(JSON.parse(answer.text).sequence);
  };
  // A sale that was taken back, and one that was taken back and made again; a receipt, for another reason.
  for (const reverts of [1, 2]) {
    let sequence = await recorded('/inventory/2/adjustments', { delta: 0 - reverts, reason: 'sold' });
    for (let i = 0; i < reverts; i += 1) sequence = await recorded(`/movements/${sequence}/revert`);
  }
  const receipt = await recorded('/inventory/2/adjustments', { delta: 4, reason: 'received' });
  await recorded(`/movements/${receipt}/revert`, { reason: 'correction' });
  await write(changes.slice(half));
  if (areApart) {
    await app.database.unguard();
    await app.database.run(`UPDATE movements SET recorded_at = ${BEGAN_AT} + sequence * ${STEP_MS}`);
  }
  const get = (target: string) => {
    // A key may send 60 of these requests per minute.
    app.clock.nowMs += 1_000;
    return send('GET', target);
  };
  const read = async (target: string) => {
    const answer = await get(`/admin/v1/reports/${target}`);
    assert.equal(answer.status, 200, `${target}: ${answer.text}`);
    return JSON.parse(answer.text) as Readonly<Record<string, unknown>> & {
      readonly rows: readonly ReportRow[];
    };
  };
  /** The rows of all pages. */
  const readAll = async (target: string) => {
    const rows: ReportRow[] = [];
    let pages = 0;
    for (let next: string | undefined = `/admin/v1/reports/${target}`; next !== undefined; pages += 1) {
      assert.ok(pages < 1_000, 'the pages have an end');
      const answer = await get(next);
      assert.equal(answer.status, 200, answer.text);
      rows.push(...JSON.parse(answer.text).rows);
      next = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    }
    return { rows, pages };
  };
  return { ...made, get, read, readAll };
}

/** A movement, read past the service. */
export interface LedgerRow {
  readonly sequence: number;
  readonly petId: number;
  readonly kind: string;
  readonly reason: string | null;
  readonly revertedReason: string | null;
  readonly change: number;
  readonly quantity: number;
  readonly reserved: number;
  readonly isGone: boolean;
  readonly atMs: number;
}

export async function ledgerOf({
  app,
}: Pick<Awaited<ReturnType<typeof reportShop>>, 'app'>): Promise<LedgerRow[]> {
  const rows = await app.database.rows(
    `SELECT sequence, pet_id, kind, reason, quantity_after - quantity_before, quantity_after, reserved_after,
     kind = 'import' AND reverted_sequence IS NOT NULL, recorded_at, reverted_sequence FROM movements ORDER BY sequence`,
  );
  const reasonOf = (sequence: unknown): string | null => {
    const [, , kind, reason, , , , , , reverted] =
      rows.find(([one]) => Number(one) === Number(sequence)) ?? [];
    if (kind === 'revert') return reasonOf(reverted);
    return reason === null || reason === undefined ? null : String(reason);
  };
  return rows.map(([sequence, petId, kind, reason, change, quantity, reserved, isGone, atMs, reverted]) => ({
    sequence: Number(sequence),
    petId: Number(petId),
    kind: String(kind),
    reason: reason === null ? null : String(reason),
    revertedReason: kind === 'revert' ? reasonOf(reverted) : null,
    change: Number(change),
    quantity: Number(quantity),
    reserved: Number(reserved),
    isGone: Boolean(isGone),
    atMs: Number(atMs),
  }));
}
