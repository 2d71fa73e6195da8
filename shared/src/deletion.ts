/**
 * Whether a movement is the last one of a pet that was deleted. Enumerations of the interface get no new values, so it is
 * the import that takes the creation back; any other movement with a `revertedSequence` has the kind `revert`.
 */
export function isDeletion({
  kind,
  revertedSequence,
}: {
  readonly kind: string;
  readonly revertedSequence: number | null;
}): boolean {
  return kind === 'import' && revertedSequence !== null;
}
