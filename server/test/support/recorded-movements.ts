import type { TestApp } from './harness.ts';

const ALL = `SELECT sequence, pet_id, kind, quantity_before, quantity_after, actor, request_id, recorded_at
FROM movements ORDER BY sequence`;

interface Recorded {
  readonly sequence: number;
  readonly petId: bigint;
  readonly kind: string;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly actor: string;
  readonly requestId: string | null;
  readonly recordedAtMs: number;
}

/** The ledger in the database, read on its own connection. */
export async function recordedMovements({ database }: Pick<TestApp, 'database'>): Promise<Recorded[]> {
  const rows = await database.rows(ALL);
  return rows.map((row) => ({
    sequence: Number(row[0]),
    petId: BigInt(row[1] as number | bigint),
    kind: String(row[2]),
    quantityBefore: Number(row[3]),
    quantityAfter: Number(row[4]),
    actor: String(row[5]),
    requestId: row[6] as string | null,
    recordedAtMs: Number(row[7]),
  }));
}
