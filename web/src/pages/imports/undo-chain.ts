import { undoChain } from '@petstore-inventory/shared/undo-chain';
import { type UndoneShare, undoneShare } from '@petstore-inventory/shared/undone-share';
import type { Import } from '../../api/schemas.ts';

export type FindImport = (importId: string) => Import | undefined;
type Links = Pick<Import, 'undoes' | 'undoneBy'>;

/** Reads the imports of a chain; those that are not kept any more are `undefined`. */
export async function readChain<T extends Links>(
  first: string | null,
  read: (importId: string) => Promise<T | undefined>,
  link: keyof Links,
): Promise<ReadonlyMap<string, T | undefined>> {
  const found = new Map<string, T | undefined>();
  for (const id of undoChain(first, (last) => found.get(last)?.[link])) found.set(id, await read(id));
  return found;
}

/** Whether an undo takes back another undo, so that the import before that holds again. */
export function isRedo(
  { undoes }: Pick<Links, 'undoes'>,
  find: (importId: string) => Pick<Links, 'undoes'> | undefined,
): boolean {
  let isAgain = false;
  for (const id of undoChain(undoes, (undo) => find(undo)?.undoes))
    if ((find(id)?.undoes ?? null) !== null) isAgain = !isAgain;
  return isAgain;
}

type Undoable = Pick<Import, 'undoneBy' | 'badRows'>;

export interface NewestUndo {
  readonly id: string;
  /** How much of the import is taken back after it. */
  readonly share: UndoneShare;
}

/** The undo of an import, or the one that undoes that, and so on. One that is not kept any more is the newest. */
export function newestUndo(
  { undoneBy }: Undoable,
  find: (importId: string) => Undoable | undefined,
): NewestUndo | undefined {
  const undos = [...undoChain(undoneBy, (undo) => find(undo)?.undoneBy)];
  const newest = undos.at(-1);
  return newest === undefined
    ? undefined
    : { id: newest, share: undoneShare(undos.map((undo) => find(undo) ?? { badRows: 0 })) };
}
