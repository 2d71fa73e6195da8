import type { ErrorPolicy } from '../../src/domain/write-command.ts';
import { errorOf } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import type { Change, Outcome, Register, Reported } from './checker/history.ts';
import { parsePetIds } from './checker/movement-pages.ts';
import { type CheckedRequest, isRefusal, type Part, unexpected } from './requests.ts';

/** A row of a batch: a set or an adjustment of one pet. */
export interface BatchRow {
  readonly petId: bigint;
  readonly change: Change;
}

interface RowJson {
  readonly petId: bigint;
  readonly code: string;
  readonly before: Register;
  readonly after: Register | null;
  readonly sequence: number | null;
}

interface BatchJson {
  readonly planId: string;
  readonly rows: readonly RowJson[];
}

/** The result of a dry run: a plan, and the version of each pet. A dry run with a refused row yields no plan. */
export interface Plan {
  readonly planId: string;
  readonly versions: ReadonlyMap<bigint, number>;
}

/**
 * A batch. An atomic batch is one operation per pet; with `reject_failed_rows`, each row is one operation. With a plan,
 * each change requires the version that the plan found.
 */
export function requestBatch(
  rows: readonly BatchRow[],
  policy: ErrorPolicy,
  mark: string,
  plan?: Plan,
): CheckedRequest {
  const isAtomic = policy === 'reject_everything';
  const markOf = (petId: bigint, index: number) => `${mark}/${isAtomic ? petId : index}`;
  const body = bodyOf(rows, policy, markOf, plan && { planId: plan.planId });
  return {
    request: { method: 'POST', path: '/v1/inventory/batch', body },
    parts: isAtomic
      ? atomicParts(rows, mark, plan)
      : rows.map(({ petId, change }, index) => ({ petId, action: change, mark: markOf(petId, index) })),
    outcomesOf: (answer) => (isAtomic ? atomicOutcomes(answer, rows, plan) : rowsOf(answer).map(rowOutcome)),
  };
}

/** A dry run of an atomic batch: it reads each of its pets. */
export function requestPlan(
  rows: readonly BatchRow[],
  mark: string,
  note: (plan: Plan) => void,
): CheckedRequest {
  const parts = atomicParts(rows, mark, undefined);
  return {
    request: {
      method: 'POST',
      path: '/v1/inventory/batch',
      body: bodyOf(rows, 'reject_everything', (petId) => `${mark}/${petId}`, { dryRun: true }),
    },
    parts: parts.map(({ petId }) => ({ petId, action: { kind: 'read' } })),
    outcomesOf: (answer) => {
      const { planId, rows: reported } = jsonOf(answer);
      const found = parts.map(({ petId }) => reported.find((row) => row.petId === petId)!.before);
      const versions = new Map(parts.map(({ petId }, index) => [petId, found[index]!.version]));
      if (reported.every(({ code }) => code === 'done')) note({ planId, versions });
      return found.map(reportedByRow);
    },
  };
}

function bodyOf(
  rows: readonly BatchRow[],
  errorPolicy: ErrorPolicy,
  markOf: (petId: bigint, index: number) => string,
  more: object = {},
): string {
  const changes = rows.map(({ petId, change }, index) => {
    const wish =
      change.kind === 'adjust'
        ? { delta: change.delta, reason: 'correction', takeReserved: change.takesReserved }
        : { quantity: change.kind === 'set' ? change.quantity : undefined };
    const condition = { changeFromQuantity: change.ifQuantity, referenceId: markOf(petId, index) };
    return `{"petId":${petId},${JSON.stringify({ ...wish, ...condition }).slice(1)}`;
  });
  const rest = JSON.stringify({ errorPolicy, ...more }).slice(1);
  return `{"changes":[${changes.join(',')}],${rest}`;
}

function atomicParts(rows: readonly BatchRow[], mark: string, plan: Plan | undefined): Part[] {
  return [...Map.groupBy(rows, ({ petId }) => petId)].map(([petId, own]): Part => {
    const [first, ...others] = own.map(({ change }) => change);
    const version = plan?.versions.get(petId);
    const planned = version === undefined ? first! : { ...first!, ifVersion: version };
    return { petId, action: { kind: 'batch', changes: [planned, ...others] }, mark: `${mark}/${petId}` };
  });
}

/** A refused row prevents the whole batch; its answer describes only the refused pet. */
function atomicOutcomes(answer: RawResponse, rows: readonly BatchRow[], plan: Plan | undefined): Outcome[] {
  const petIds = [...new Set(rows.map(({ petId }) => petId))];
  if (answer.status === 200) {
    const reported = rowsOf(answer);
    return petIds.map((petId) => petOutcome(reported.filter((row) => row.petId === petId)));
  }
  const { code, message } = errorOf(answer);
  const [, place] = /^changes\[(\d+)\]/.exec(message) ?? [];
  if (place === undefined && plan && code === 'conflict') return petIds.map(() => ({ result: 'failed' }));
  if (place === undefined || !isRefusal(code)) throw unexpected(answer);
  const refused = rows[Number(place)]?.petId;
  return petIds.map((petId) =>
    petId === refused ? { result: 'refused', refusal: code } : { result: 'failed' },
  );
}

function petOutcome(rows: readonly RowJson[]): Outcome {
  const [first] = rows;
  const after = registerOf(rows.at(-1)!.after!);
  const sequence = rows.findLast((row) => row.sequence !== null)?.sequence ?? null;
  return { result: 'done', quantityBefore: first!.before.quantity, ...after, sequence };
}

function rowOutcome({ code, before, after, sequence }: RowJson): Outcome {
  if (code === 'done') {
    return { result: 'done', quantityBefore: before.quantity, ...registerOf(after!), sequence };
  }
  if (!isRefusal(code)) throw new Error(`A row was answered with ${code}.`);
  return { result: 'refused', refusal: code, ...registerOf(before) };
}

function registerOf({ quantity, reserved, status, version }: Register): Register {
  return { quantity, reserved, status, version };
}

function reportedByRow(stock: Register): { result: 'done' } & Reported {
  return { result: 'done', ...registerOf(stock) };
}

function rowsOf(answer: RawResponse): readonly RowJson[] {
  return jsonOf(answer).rows;
}

function jsonOf(answer: RawResponse): BatchJson {
  if (answer.status !== 200) throw unexpected(answer);
  return parsePetIds(String(answer.body)) as BatchJson;
}
