import { ApiError } from '../../domain/errors.ts';
import { itemTag, type Stock } from '../../domain/ledger/stock.ts';
import type {
  BatchChange,
  BatchCommand,
  BatchResult,
  RowResult,
  WriteOutcome,
} from '../../domain/write-command.ts';
import type { Answer } from '../../listen/exchange.ts';
import type { RequestContext } from '../request/request-context.ts';
import { CODE_OF_REFUSAL, currentStockHeaders, refusalMessage } from './conflict-response.ts';
import { type WriteExecutor, type Written, written } from './write-executor.ts';

export async function answerBatch(
  writer: WriteExecutor,
  context: RequestContext,
  command: BatchCommand,
  outcome: WriteOutcome,
): Promise<Answer> {
  const { result, headers } = written('batch', outcome);
  if (result.code === 'plan_changed') {
    throw new ApiError(
      'conflict',
      'The batch, or the stock of its pets, differs from the dry run with this planId. Nothing was changed. Make a new dry run.',
      { headers },
    );
  }
  if (result.code === 'rejected' && !result.isDryRun)
    throw await rejected(writer, command, { result, headers });
  const committed = committedStock(result.rows);
  const isCommitted = (petId: bigint, stock: Stock) =>
    !result.isDryRun || committed.get(petId)?.version === stock.version;
  const rows = result.rows.map((row, i) =>
    rowJson(writer, command.changes[i] as BatchChange, row, isCommitted),
  );
  const { planId, isDryRun } = result;
  const json = `{"planId":${JSON.stringify(planId)},"dryRun":${isDryRun},"applied":${appliedCount(result)},"rows":[${rows.join(',')}]}`;
  return context.respond(200, json, headers);
}

function appliedCount({ isDryRun, rows }: BatchResult): number {
  return isDryRun ? 0 : rows.filter(({ code }) => code === 'done').length;
}

/** The stock of each pet before the batch: `before` of the first row that names it. */
function committedStock(rows: readonly RowResult[]): ReadonlyMap<bigint, Stock> {
  const committed = new Map<bigint, Stock>();
  for (const { petId, before } of rows) if (before && !committed.has(petId)) committed.set(petId, before);
  return committed;
}

/** The refusal of the first refused row, because of which the whole batch was rejected. */
async function rejected(
  writer: WriteExecutor,
  command: BatchCommand,
  { result, headers }: Written<BatchResult>,
): Promise<ApiError> {
  const place = result.rows.findIndex(({ code }) => code !== 'done');
  const row = result.rows[place] as RowResult;
  const change = command.changes[place] as BatchChange;
  const message = rowMessage(writer, change, row) ?? '';
  if (row.code === 'done') throw new Error('A batch was rejected without a refused row.');
  const code = CODE_OF_REFUSAL[row.code];
  const isAboutStock = code !== 'not_found' && code !== 'history_pruned';
  const current = isAboutStock ? committedStock(result.rows).get(row.petId) : undefined;
  const isPlanned = current !== undefined && row.before?.version !== current.version;
  const stockHeaders = current && (await currentStockHeaders(writer, change, row.code, current));
  return new ApiError(
    code,
    `changes[${place}] (petId ${row.petId}): ${message.replace(/\.$/, '')}${isPlanned ? ' after the rows before it' : ''}. Nothing was changed. Send "dryRun": true to see every row.`,
    { headers: { ...headers, ...stockHeaders } },
  );
}

type IsCommitted = (petId: bigint, stock: Stock) => boolean;

function rowJson(
  writer: WriteExecutor,
  change: BatchChange,
  row: RowResult,
  isCommitted: IsCommitted,
): string {
  const { petId, before, after, sequence } = row;
  const code = row.code === 'done' ? 'done' : CODE_OF_REFUSAL[row.code];
  const message = JSON.stringify(rowMessage(writer, change, row));
  const [beforeJson, afterJson] = [before, after].map(
    (stock) => stock && stockJson(stock, isCommitted(petId, stock)),
  );
  return `{"petId":${petId},"code":"${code}","message":${message},"before":${beforeJson},"after":${afterJson},"sequence":${sequence}}`;
}

function rowMessage(
  { maxQuantity }: WriteExecutor,
  change: BatchChange,
  { code, before }: RowResult,
): string | null {
  return code === 'done' ? null : refusalMessage(code, change, before, maxQuantity);
}

function stockJson(stock: Stock, isCommitted: boolean): string {
  const etag = isCommitted ? JSON.stringify(itemTag(stock)) : null;
  return `{"quantity":${stock.quantity},"reserved":${stock.reserved},"status":"${stock.status}","version":${stock.version},"etag":${etag}}`;
}
