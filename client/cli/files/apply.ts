import { type BatchRow, PetstoreError } from '../../src/index.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import type { Run } from '../run.ts';
import type { Explanation } from '../stock/change-options.ts';
import type { Chunk, ChunkResult, Journal } from './journal.ts';
import { changeOf, type PlannedChange, type RefusedRow } from './plan.ts';

/** Applies the chunks of an import that have no result yet. Each change requires the state that was planned for. */
export async function applyChunks(
  run: Run,
  journal: Journal,
  report: (step: string, done: number, total: number) => void,
): Promise<void> {
  for (const chunk of journal.open) {
    report('Applying changes', journal.done, journal.total);
    run.context.signal.throwIfAborted();
    journal.add(await applyChunk(run, chunk, journal.begin));
  }
}

interface Kind {
  readonly isAdding: boolean;
  readonly explanation: Explanation;
}

/** Sends a chunk, or sends it again: under the same keys, the service makes each change once. */
async function applyChunk(run: Run, chunk: Chunk, kind: Kind): Promise<ChunkResult> {
  const rows = await applyQuantities(run, chunk, kind);
  const refused: RefusedRow[] = [];
  for (const change of chunk.changes) {
    const row = rows.get(change.petId);
    const refusal =
      row && row.code !== 'done'
        ? { code: row.code, message: row.message ?? row.code }
        : await applyStatus(
            run,
            change,
            row?.after?.etag ?? change.before.etag,
            `${chunk.key}-${change.petId}`,
            kind,
          );
    if (refusal)
      refused.push({ petId: change.petId, quantity: change.quantity, status: change.status, ...refusal });
  }
  return { key: chunk.key, applied: chunk.changes.length - refused.length, refused };
}

/** The results of the changes of quantities, by petId. */
async function applyQuantities(
  { client, request }: Run,
  { key, changes }: Chunk,
  { isAdding, explanation }: Kind,
): Promise<ReadonlyMap<bigint, BatchRow>> {
  const quantities = changes.filter(({ quantityAfter }) => quantityAfter !== undefined);
  if (quantities.length === 0) return new Map();
  const body = {
    changes: quantities.map((row) => changeOf(row, isAdding, explanation, row.before.etag ?? undefined)),
    errorPolicy: 'reject_failed_rows' as const,
  };
  const { rows } = await client.batchInventory(body, { ...request, idempotencyKey: key });
  return new Map(rows.map((row) => [row.petId, row]));
}

/** The refusal of a change of status; `undefined` if it is done, or there is none. */
async function applyStatus(
  { client, request }: Run,
  { petId, statusAfter }: PlannedChange,
  ifMatch: string | null,
  idempotencyKey: string,
  { explanation }: Kind,
): Promise<Pick<RefusedRow, 'code' | 'message'> | undefined> {
  if (statusAfter === undefined) return undefined;
  const guards = { ...request, idempotencyKey, ...(ifMatch !== null && { ifMatch }) };
  try {
    await client.setInventoryStatus(petId, { status: statusAfter, ...explanation }, guards);
    return undefined;
  } catch (error) {
    const exitCode = error instanceof PetstoreError ? exitCodeOf(error) : undefined;
    if (exitCode !== EXIT.refused && exitCode !== EXIT.notFound) throw error;
    const { code, message } = error as PetstoreError;
    return { code, message };
  }
}
