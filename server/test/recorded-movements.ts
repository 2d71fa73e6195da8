import { DatabaseSync } from 'node:sqlite';
import type { TestApp } from './harness.ts';

const ALL = `SELECT sequence, pet_id AS petId, kind, quantity_before AS quantityBefore, quantity_after AS quantityAfter,
actor, request_id AS requestId, recorded_at AS recordedAtMs FROM movements ORDER BY sequence`;

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

/** The ledger as it stands on disk, read on a connection of its own. */
export async function recordedMovements({ config }: Pick<TestApp, 'config'>): Promise<Recorded[]> {
  const database = new DatabaseSync(config.database.slice('sqlite:'.length), { readOnly: true });
  try {
    const statement = database.prepare(ALL);
    statement.setReadBigInts(true);
    return statement.all().map((row) => {
      const movement = row as unknown as Recorded;
      return {
        ...movement,
        sequence: Number(movement.sequence),
        quantityBefore: Number(movement.quantityBefore),
        quantityAfter: Number(movement.quantityAfter),
        recordedAtMs: Number(movement.recordedAtMs),
      };
    });
  } finally {
    database.close();
  }
}
