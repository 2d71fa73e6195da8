import { newIdempotencyKey, send } from '../api/client.ts';
import type { InventoryItem, ManagedPet } from '../api/schemas.ts';
import type { Count, Interference, Sent } from './count.ts';
import { changedDetails, detailNames, pickDetails, type WaitingDetails } from './details.ts';
import { movementsSince } from './movements-since.ts';

/** Sends an edit of details, which is recorded if the pet is as it was when the person saw it. @throws ApiError */
export async function sendDetails(
  { petId, key, tag }: Count,
  { values, takeCodes }: WaitingDetails,
  signal: AbortSignal,
): Promise<{ readonly quantity: number; readonly tag: string }> {
  const options = { ifMatch: tag, signal, body: { ...values, ...(takeCodes && { takeCodes }) } };
  const { value, headers } =
    values.status === undefined
      ? await send<ManagedPet>('PATCH', `/pets/${petId}`, options)
      : await send<InventoryItem>('PUT', `/inventory/${petId}/status`, { ...options, idempotencyKey: key });
  return { quantity: value.quantity, tag: headers.get('ETag') ?? tag };
}

/**
 * The edit is sent again for the state of now, unless somebody changed the same members: then the person decides. A sale does
 * not change what the edit replaces, but a later count of this browser must not go on from its state: `stock` says so.
 * @throws ApiError
 */
export async function detailsMeanwhile(
  count: Count,
  { values, before }: WaitingDetails,
  signal: AbortSignal,
): Promise<Sent> {
  const { value: pet, headers } = await send<ManagedPet>('GET', `/pets/${count.petId}`, { signal });
  const state = { tag: headers.get('ETag') ?? '', stock: pet.quantity };
  const open = changedDetails(detailNames(values), pet, values);
  // An earlier attempt, whose answer was lost, may have changed the details.
  if (open.length === 0) return { ...state, state: 'sent' };
  const theirs = changedDetails(open, pet, before);
  if (theirs.length === 0) return { ...state, key: newIdempotencyKey() };
  const last = (await movementsSince(count, signal))?.findLast(
    ({ kind }) => kind === (values.status === undefined ? 'import' : 'status'),
  );
  const now: Interference = {
    quantity: pet.quantity,
    tag: state.tag,
    who: last?.actor.name,
    at: last?.recordedAt ?? pet.updatedAt,
    details: pickDetails(pet, theirs),
  };
  return { state: 'conflict', now };
}
