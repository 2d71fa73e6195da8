import { parseExactJson } from '../support/exact-json.ts';
import type { Outcome, StockModel, Wish } from './model.ts';
import type { KnownOrder, OrderBody, ShopModel, StepName } from './order-model.ts';
import type { FuzzRequest } from './requests.ts';

/** The required answer to a valid write. */
export interface ExpectedWrite extends Outcome {
  /** Of each row of a batch that is answered with 200. */
  readonly rows?: readonly Outcome[];
  readonly order?: KnownOrder;
}

interface ChangeBody {
  readonly petId: number | bigint;
  readonly quantity?: number;
  readonly delta?: number;
  readonly status?: string;
  readonly reason?: string | null;
  readonly changeFromQuantity?: number;
  readonly takeReserved?: boolean;
  readonly revert?: number;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

interface BatchBody {
  readonly changes: readonly ChangeBody[];
  readonly errorPolicy?: string;
  readonly dryRun?: boolean;
  readonly planId?: string;
}

function wishOf(petId: bigint, body: Partial<ChangeBody>): Wish {
  const { quantity, delta, status, reason, changeFromQuantity, takeReserved } = body;
  const { ifMatch, ifNoneMatch, revert } = body;
  return {
    petId,
    // Turns -0 into 0.
    ...(quantity !== undefined && { quantity: quantity + 0 }),
    ...(delta !== undefined && { delta }),
    ...(status !== undefined && { status }),
    ...(changeFromQuantity !== undefined && { changeFromQuantity }),
    ...(takeReserved !== undefined && { takeReserved }),
    ...(revert !== undefined && { revert }),
    reason: reason ?? null,
    ifMatch,
    ifNoneMatch,
  };
}

/** Applies a valid request to the model, and returns the outcome. `headers` are those of the request. */
export function expectedWrite(
  model: ShopModel,
  { operationId, body }: FuzzRequest,
  parameter: string,
  headers: Readonly<Record<string, string>>,
): ExpectedWrite {
  const conditions = { ifMatch: headers['If-Match'], ifNoneMatch: headers['If-None-Match'] };
  const text = body ? new TextDecoder().decode(body) : '';
  const requested = (text === '' ? {} : parseExactJson(text)) as unknown as ChangeBody &
    BatchBody &
    OrderBody;
  switch (operationId) {
    case 'updateInventory': {
      const { status: _ignored, delta: _too, ...rest } = requested;
      return model.change(wishOf(BigInt(parameter), { ...rest, ...conditions }));
    }
    case 'adjustInventory': {
      const { status: _ignored, quantity: _too, ...rest } = requested;
      const outcome = model.change(wishOf(BigInt(parameter), { ...rest, ...conditions }));
      return outcome.status === 200 ? { ...outcome, status: 201 } : outcome;
    }
    case 'setInventoryStatus': {
      const { delta: _ignored, quantity: _too, ...rest } = requested;
      return model.change(wishOf(BigInt(parameter), { ...rest, ...conditions }));
    }
    case 'revertMovement': {
      const { delta: _ignored, quantity: _too, status: _three, ...rest } = requested;
      const outcome = model.revert(Number(parameter), wishOf(0n, { ...rest, ...conditions }));
      return outcome.status === 200 ? { ...outcome, status: 201 } : outcome;
    }
    case 'placeOrder':
      return model.place(requested);
    case 'batchInventory':
      return expectedBatch(model, requested);
    default: {
      const step = operationId.replace(/Order$/, '') as StepName;
      return model.step({ step, orderId: Number(parameter), body: requested, ...conditions });
    }
  }
}

function expectedBatch(
  model: StockModel,
  { changes, errorPolicy, dryRun, planId }: BatchBody,
): ExpectedWrite {
  if (planId !== undefined) return { status: 409, code: 'conflict' };
  const isStrict = errorPolicy !== 'reject_failed_rows';
  const wishes = changes.map(({ status: _ignored, ...change }) => wishOf(BigInt(change.petId), change));
  const rows = model.batch(
    wishes,
    (outcomes) => dryRun !== true && !(isStrict && outcomes.some(({ status }) => status !== 200)),
  );
  const failed = rows.find(({ status }) => status !== 200);
  return dryRun !== true && isStrict && failed ? failed : { status: 200, rows };
}
