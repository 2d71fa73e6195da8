/**
 * Whether a movement is the last one of a pet that was deleted. Enumerations of the interface get no new values, so it is
 * the import that takes the creation back; any other movement with a `revertedSequence` has the kind `revert`.
 */
export function isDeletion({
  kind,
  quantityAfter,
  revertedSequence,
}: {
  readonly kind: string;
  readonly quantityAfter: number;
  readonly revertedSequence: number | null;
}): boolean {
  return kind === 'import' && quantityAfter === 0 && revertedSequence !== null;
}
