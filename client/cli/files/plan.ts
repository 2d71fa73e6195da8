import type { BatchChange, BatchRow, BatchStock, PetStatus } from '../../src/index.ts';
import type { Run } from '../run.ts';
import type { Explanation } from '../stock/change-options.ts';
import type { FileRow } from './rows.ts';

/** The most changes of one request. */
const MAX_CHANGES = 1_000;
/** The service accepts 1 MiB. */
const MAX_BYTES = 1_000_000;
/** More than a change has besides its explanation. */
const CHANGE_BYTES = 250;

/** A change of one pet by a row of the file, and the state that it was planned for. */
export interface PlannedChange extends FileRow {
  readonly before: BatchStock;
  /** The quantity after the change; `undefined` if only the status changes. */
  readonly quantityAfter: number | undefined;
  /** The status after the change; `undefined` if it stays. */
  readonly statusAfter: PetStatus | undefined;
}

/** A row that the service refuses. */
export interface RefusedRow extends FileRow {
  readonly code: string;
  readonly message: string;
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  readonly refused: readonly RefusedRow[];
  readonly unchanged: number;
}

interface PlanOptions {
  readonly isAdding: boolean;
  readonly explanation: Explanation;
  readonly report: (step: string, done: number, total: number) => void;
}

/** Compares a file with the stock by dry runs, which change nothing and apply all rules. */
export async function makePlan(run: Run, rows: readonly FileRow[], options: PlanOptions): Promise<Plan> {
  const changes: PlannedChange[] = [];
  const refused: RefusedRow[] = [];
  const { isAdding, explanation, report } = options;
  const effective = rows.filter(({ quantity }) => !isAdding || quantity !== 0);
  const size = chunkSize(explanation);
  for (let start = 0; start < effective.length; start += size) {
    report('Comparing with the stock', start, effective.length);
    const chunk = effective.slice(start, start + size);
    const body = {
      changes: chunk.map((row) => changeOf(row, isAdding, explanation)),
      errorPolicy: 'reject_failed_rows' as const,
      dryRun: true,
    };
    const result = await run.client.batchInventory(body, run.request);
    for (const [i, row] of chunk.entries()) {
      const planned = planRow(row, result.rows[i] as BatchRow);
      if (planned === undefined) continue;
      if ('code' in planned) refused.push(planned);
      else changes.push(planned);
    }
  }
  return { changes, refused, unchanged: rows.length - changes.length - refused.length };
}

/** The changes of each request. */
export function chunksOf(changes: readonly PlannedChange[], explanation: Explanation): PlannedChange[][] {
  const size = chunkSize(explanation);
  const chunks = [];
  for (let start = 0; start < changes.length; start += size) chunks.push(changes.slice(start, start + size));
  return chunks;
}

/** How many changes fit into one request: each has the whole explanation. */
function chunkSize(explanation: Explanation): number {
  const bytes = CHANGE_BYTES + Buffer.byteLength(JSON.stringify(explanation));
  return Math.min(MAX_CHANGES, Math.floor(MAX_BYTES / bytes));
}

/** The change of a row. @param ifMatch The state that it requires. */
export function changeOf(
  { petId, quantity }: FileRow,
  isAdding: boolean,
  explanation: Explanation,
  ifMatch?: string,
): BatchChange {
  const guard = ifMatch === undefined ? {} : { ifMatch };
  if (!isAdding) return { petId, quantity, ...explanation, ...guard };
  return { petId, delta: quantity, ...explanation, reason: explanation.reason ?? 'other', ...guard };
}

/** `undefined`: the pet is already as in the file. */
function planRow(
  row: FileRow,
  { code, message, before, after }: BatchRow,
): PlannedChange | RefusedRow | undefined {
  if (code !== 'done' || !before || !after) return { ...row, code, message: message ?? code };
  const quantityAfter = after.quantity === before.quantity ? undefined : after.quantity;
  const statusAfter = row.status === null || row.status === before.status ? undefined : row.status;
  if (quantityAfter === undefined && statusAfter === undefined) return undefined;
  return { ...row, before, quantityAfter, statusAfter };
}
