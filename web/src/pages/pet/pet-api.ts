import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../api/api-error.ts';
import { api, newIdempotencyKey, send } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type {
  InventoryDetail,
  ManagedPet,
  Movement,
  PetChanges,
  PetStatus,
  RestoredPet,
} from '../../api/schemas.ts';
import { revertMovement } from '../../components/movements/use-undo-movement.ts';
import type { QuantityEdit } from '../../components/parse-quantity.ts';
import { readAgain } from '../../live/read-again.ts';
import { beforeLive, useLiveMovements } from '../../live/use-live.ts';
import { availableOf, type StockRow, tagOf } from '../../stock/stock-row.ts';

/** A pet as the page shows it, with the tag of its state. */
export interface Pet extends Omit<InventoryDetail, 'daysOfStock'> {
  readonly tag: string;
  /** `undefined` for a pet of the list that the browser keeps. */
  readonly daysOfStock?: number | null;
  readonly sku: string | null;
  readonly barcodes: readonly string[];
  readonly archivedAt: string | null;
}

const stockPath = (petId: string) => `/inventory/${petId}`;
const petPath = (petId: string) => `/pets/${petId}`;
const petKey = (petId: string) => ['pet', petId];

export async function readPet(petId: string, signal?: AbortSignal): Promise<Pet> {
  const [{ value, headers }, { sku, barcodes, archivedAt }] = await Promise.all([
    send<InventoryDetail>('GET', stockPath(petId), { signal }),
    api<ManagedPet>('GET', petPath(petId), { signal }),
  ]);
  return { ...value, sku, barcodes, archivedAt, tag: headers.get('ETag') ?? '' };
}

/** A pet as the list of the stock has it, for the time without a connection. */
export function petOfRow(row: StockRow): Pet {
  const { petId, quantity, reserved, status, alertLevel, lowStockAt, restockAt, version } = row;
  const { name, category, sku, barcodes, updatedAtMs, archivedAtMs } = row;
  const numbers = { quantity, reserved, available: availableOf(row), lowStockAt, restockAt, version };
  const archivedAt = archivedAtMs === null ? null : new Date(archivedAtMs).toISOString();
  const times = { updatedAt: new Date(updatedAtMs).toISOString(), archivedAt };
  return { petId, name, category, sku, barcodes, status, alertLevel, ...numbers, ...times, tag: tagOf(row) };
}

/** The pet, changed by the live stream. */
export function usePet(petId: string) {
  const queries = useQueryClient();
  const reload = () => readAgain(queries, petKey(petId));
  useLiveMovements({
    onMovements: (movements) => {
      const latest = movements.findLast((movement) => movement.petId === petId);
      if (!latest) return;
      queries.setQueryData<Pet>(petKey(petId), (pet) => pet && afterMovement(pet, latest));
      // For the tag, and for what a movement does not have.
      void reload();
    },
    onGap: () => void reload(),
  });
  const query = useQuery({
    queryKey: petKey(petId),
    queryFn: ({ signal }) =>
      beforeLive(
        () => readPet(petId, signal),
        () => void reload(),
      ),
    staleTime: 0,
  });
  return { ...query, reload };
}

function afterMovement(pet: Pet, movement: Movement): Pet {
  const { quantityAfter: quantity, reservedAfter: reserved, statusAfter, alertAfter, version } = movement;
  if (version <= pet.version) return pet;
  const available = quantity - reserved;
  return { ...pet, quantity, reserved, available, status: statusAfter, alertLevel: alertAfter, version };
}

export interface Adjustment {
  readonly change: QuantityEdit;
  readonly explanation: Readonly<Record<string, string>>;
  readonly takesReserved: boolean;
}

/** Changes the quantity of a pet as it was seen. @returns What undoes it. @throws ApiError */
export async function adjustPet(
  { petId, tag, version }: Pet,
  { change, explanation, takesReserved }: Adjustment,
  idempotencyKey: string,
): Promise<() => Promise<void>> {
  const options = { ifMatch: tag, idempotencyKey };
  if (change.kind === 'set') {
    const body = { quantity: change.quantity, ...explanation };
    await send('PATCH', stockPath(petId), { ...options, body });
    return () => undoVersion(petId, version + 1);
  }
  const body = { delta: change.delta, ...explanation, ...(takesReserved && { takeReserved: true }) };
  const path = `${stockPath(petId)}/adjustments`;
  const { sequence } = await api<Movement>('POST', path, { ...options, body });
  return async () => void (await revertMovement(sequence));
}

/** Somebody else has set another status since the person saw the pet. */
export class StatusChanged extends Error {
  readonly status: PetStatus;

  constructor(status: PetStatus) {
    super(status);
    this.status = status;
  }
}

/** Sales may go on for ever. */
const MAX_ATTEMPTS = 5;

/** @param seen The pet as the person saw it. @returns What undoes it. @throws ApiError, StatusChanged */
export async function setStatus(seen: Pet, status: PetStatus) {
  const idempotencyKey = newIdempotencyKey();
  let base = seen;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const options = { ifMatch: base.tag, idempotencyKey: `${idempotencyKey}-${attempt}`, body: { status } };
      await send('PUT', `${stockPath(seen.petId)}/status`, options);
      const { version } = base;
      return () => undoVersion(seen.petId, version + 1);
    } catch (error) {
      if (!isApiError(error, 'precondition_failed') || attempt === MAX_ATTEMPTS) throw error;
      base = await readPet(seen.petId);
      // A sale meanwhile changes the tag, but not what the person replaces.
      if (base.status !== seen.status) throw new StatusChanged(base.status);
    }
  }
}

/** Reverts the movement that made a version: a change of a known version makes the next one. */
async function undoVersion(petId: string, version: number): Promise<void> {
  const { items } = await readPage<Movement>(`${stockPath(petId)}/movements`, { order: 'desc', limit: 100 });
  const made = items.find((movement) => movement.version === version);
  if (!made) throw new Error(`Version ${version} has no movement.`);
  await revertMovement(made.sequence);
}

export const editPet = (petId: string, tag: string, body: PetChanges) =>
  send<ManagedPet>('PATCH', petPath(petId), { ifMatch: tag, body });
export const archivePet = (petId: string) => api<ManagedPet>('POST', `${petPath(petId)}/archive`);
export const deletePet = (petId: string) => api('DELETE', petPath(petId));
export const restorePet = (petId: string) => api<RestoredPet>('POST', `${petPath(petId)}/restore`);

/** The movements of a chart: the newest ones since a moment. */
export const CHART_MOVEMENTS = 1_000;
export const useHistory = (petId: string, sinceMs: number) =>
  useQuery({
    queryKey: ['pet-history', petId, sinceMs],
    queryFn: ({ signal }) => {
      const query = { since: new Date(sinceMs).toISOString(), order: 'desc', limit: CHART_MOVEMENTS };
      return readPage<Movement>(`${stockPath(petId)}/movements`, query, signal);
    },
  });
