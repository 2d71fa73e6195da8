/** How much of what an import wrote is taken back. */
export type UndoneShare = 'none' | 'part' | 'all';

/**
 * How much of an import is taken back by its undo, the one that undoes that, and so on. A whole undo brings back what was
 * before the one that it undoes, and one that left rows out only a part of that.
 */
export function undoneShare(undos: Iterable<{ readonly badRows: number }>): UndoneShare {
  let before: UndoneShare = 'all';
  let now: UndoneShare = 'none';
  for (const { badRows } of undos) [before, now] = [now, badRows > 0 ? 'part' : before];
  return now;
}
