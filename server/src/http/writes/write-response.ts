import { type Change, itemTag, type Stock } from '../../domain/ledger/stock.ts';
import type { SingleResult } from '../../domain/write-command.ts';
import { MOVEMENT } from '../movements/movement.ts';
import { ITEM_TAG, LOCATION } from '../openapi/headers.ts';
import { located, one, type ResponseHeader, type View } from '../operation/output.ts';
import type { RequestContext } from '../request/request-context.ts';
import { InventoryItemSchema } from '../schemas/inventory.ts';
import { refusedWrite, type WriteTarget } from './conflict-response.ts';
import { type WriteExecutor, type WrittenOne, written } from './write-executor.ts';
import { replayed } from './write-headers.ts';

/** A pet after a change of its stock. */
interface ChangedPet extends Pick<SingleResult, 'movement'> {
  readonly petId: bigint;
  readonly stock: Stock;
  readonly headers: Readonly<Record<string, string>>;
}

/** Changes one pet for the caller. @throws ApiError of the refusal. */
export async function changePet(
  writer: WriteExecutor,
  context: RequestContext,
  key: string | undefined,
  change: Change,
): Promise<ChangedPet> {
  const outcome = await writer.write(context, { kind: 'change', change }, key);
  return changedPet(writer, change, written('single', outcome));
}

/** The pet after a write. @throws ApiError of the refusal. */
export async function changedPet(
  writer: WriteExecutor,
  target: WriteTarget,
  one: WrittenOne,
): Promise<ChangedPet> {
  const { code, stock, movement } = one.result;
  switch (code) {
    case 'done':
      if (!stock) break;
      return { petId: target.petId, stock, movement, headers: one.headers };
    case 'no_such_movement':
    case 'movement_pruned':
    case 'already_reverted':
    case 'movement_of_order':
      break;
    default:
      throw await refusedWrite(writer, target, code, one);
  }
  throw new Error(`A change was answered with ${code}.`);
}

export function tagOf({ stock }: ChangedPet): string {
  return itemTag(stock);
}

const TAG: ResponseHeader<ChangedPet> = { documented: ITEM_TAG, of: (changed) => ({ ETag: tagOf(changed) }) };

/** The item after a change: exactly the three fields. */
export const CHANGED_ITEM: View<ChangedPet> = {
  name: 'InventoryItem',
  schema: InventoryItemSchema,
  json: ({ petId, stock: { quantity, status } }) =>
    `{"petId":${petId},"quantity":${quantity},"status":"${status}"}`,
};

export const WRITTEN_ITEM = one(CHANGED_ITEM, {
  response: 'WrittenItem',
  description: 'The updated entry.',
  headers: [TAG, replayed],
});

const RECORDED = { ...MOVEMENT, json: (changed: ChangedPet) => MOVEMENT.json(movementOf(changed)) };

export const RECORDED_MOVEMENT = one(RECORDED, {
  status: 201,
  response: 'RecordedMovement',
  description: 'The movement that was recorded.',
  headers: [TAG, replayed, located((changed) => `/movements/${movementOf(changed).sequence}`, LOCATION)],
});

function movementOf({ movement }: ChangedPet) {
  if (!movement) throw new Error('A change that records a movement returned none.');
  return movement;
}
