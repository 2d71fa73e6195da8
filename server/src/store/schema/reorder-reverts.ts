/**
 * The nineteenth migration of both engines: reverts that count in `received` and can still be reverted, as a JSON array
 * `[[sequence, units], …]`. A prune writes it, because it deletes the receipts from which these reverts lead on.
 */
export const REORDER_REVERTS = `
ALTER TABLE reorders ADD COLUMN open_reverts text;
`;
