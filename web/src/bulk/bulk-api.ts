import { MAX_BULK_PETS } from '@petstore-inventory/shared/limits';
import { ALERT_LEVELS } from '@petstore-inventory/shared/words';
import { api } from '../api/client.ts';
import { readPage } from '../api/pages.ts';
import type { AdminKey, BulkChange, BulkFilter, BulkOutcome, BulkPet, BulkValues } from '../api/schemas.ts';
import type { Session } from '../session/session-api.ts';
import type { StockQuery } from '../stock/stock-view.ts';

/** Between two looks at a change on which the service works: a change of few pets is done soon. */
const [FIRST_MS, BUSY_MS] = [50, 400];

/** The pets to change: by a filter of the service, or by their ids. */
export type BulkSelection =
  | { readonly filter: BulkFilter }
  | {
      readonly petIds: readonly string[];
      /** Units to order of each. */
      readonly units?: readonly number[];
    };

/**
 * How the service finds the selected pets; `undefined`: it cannot. So many ids do not fit into a request. A filter finds the
 * same pets if all that match are selected, and words do not: the page finds parts of words.
 * @param shown The pets that match.
 */
export function selectionOf(
  selected: ReadonlySet<string>,
  shown: readonly string[],
  { words, status, category, supplier, alert, isArchived }: StockQuery,
): BulkSelection | undefined {
  if (selected.size <= MAX_BULK_PETS) return { petIds: [...selected] };
  const isAll = selected.size === shown.length && shown.every((petId) => selected.has(petId));
  if (!isAll || words.trim() !== '') return undefined;
  const filter: BulkFilter = {
    archived: isArchived ? 'only' : 'exclude',
    ...(status && { status }),
    ...(category !== undefined && { category }),
    ...(supplier !== undefined && { supplier }),
    ...(alert && { alert: alert === 'any' ? ALERT_LEVELS : [alert] }),
  };
  return { filter };
}

export const planChange = (selection: BulkSelection, set: BulkValues): Promise<BulkChange> =>
  api<BulkChange>('POST', '/bulk-changes', { body: { ...selection, set } });

export const actOnChange = (id: string, action: 'apply' | 'undo' | 'cancel'): Promise<BulkChange> =>
  api<BulkChange>('POST', `/bulk-changes/${id}/${action}`);

/** Changes whose progress and result something else of this tab shows, such as a dialog. */
const shownElsewhere = new Set<string>();

export const isShownElsewhere = (id: string): boolean => shownElsewhere.has(id);

/** The change when the service has done its work, which goes on without the page. */
export async function settledChange(
  id: string,
  onProgress: (change: BulkChange) => void,
  signal?: AbortSignal,
): Promise<BulkChange> {
  shownElsewhere.add(id);
  try {
    for (let waitMs = FIRST_MS; ; waitMs = Math.min(2 * waitMs, BUSY_MS)) {
      const change = await api<BulkChange>('GET', `/bulk-changes/${id}`, { signal });
      onProgress(change);
      if (!change.state.endsWith('ing')) return change;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  } catch (error) {
    // The dialog is closed, or shows no more progress.
    shownElsewhere.delete(id);
    throw error;
  }
}

/**
 * Changes pets without a preview, and more than one change may have in several.
 * @param onDone Has each change that ended. Of one that failed, the pets of the next ones stay as they are.
 * @param most Another number for tests.
 */
export async function changeInParts(
  petIds: readonly string[],
  set: BulkValues,
  onDone: (change: BulkChange) => void,
  most = MAX_BULK_PETS,
): Promise<void> {
  for (let start = 0; start < petIds.length; start += most) {
    const { id } = await planChange({ petIds: petIds.slice(start, start + most) }, set);
    await settledChange(id, () => undefined);
    await actOnChange(id, 'apply');
    const change = await settledChange(id, () => undefined);
    onDone(change);
    if (change.failureCode !== null) return;
  }
}

/** What several changes of one intention have done, as the last of them with the first failure; `undefined` without any. */
export function togetherOf(changes: readonly BulkChange[]): BulkChange | undefined {
  const last = changes.at(-1);
  if (last === undefined) return undefined;
  const counts = { ...last.counts };
  for (const { counts: earlier } of changes.slice(0, -1))
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += earlier[name];
  const failed = changes.find(({ failureCode }) => failureCode !== null);
  return { ...last, counts, failureCode: failed?.failureCode ?? null };
}

/** Enough for all changes of a person that can run, also where others have planned newer ones. */
const RECENT = 100;

/**
 * The keys with which a person may have begun a change that still runs: the one of the session, and the one that it replaced,
 * which works for a time after a rotation.
 */
export async function keysOf(
  { keyId, firstKeyId = keyId }: Pick<Session, 'keyId' | 'firstKeyId'>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (firstKeyId === keyId) return [keyId];
  const { rotatedFrom } = await api<AdminKey>('GET', `/admin-keys/${keyId}`, { signal });
  return [keyId, ...(rotatedFrom === null ? [] : [rotatedFrom])];
}

/** The newest changes that these keys have applied or undone. */
export async function ownChanges(
  keyIds: readonly string[],
  signal?: AbortSignal,
): Promise<readonly BulkChange[]> {
  const { items } = await readPage<BulkChange>('/bulk-changes', { limit: RECENT }, signal);
  return items.filter(({ appliedBy, undoneBy }) => {
    const by = undoneBy ?? appliedBy;
    return by !== null && keyIds.includes(by);
  });
}

/** The first pets of a change with an outcome. */
export const petsOf = async (id: string, outcome: BulkOutcome, limit: number): Promise<readonly BulkPet[]> =>
  (await readPage<BulkPet>(`/bulk-changes/${id}/pets`, { outcome, limit })).items;
