/**
 * The eighteenth migration of both engines: imports that undo another one, which of them was applied, and the newest
 * movement before an import was applied. Of an import that an earlier release applied it is unknown.
 */
export const IMPORT_UNDOS = `
ALTER TABLE imports ADD COLUMN undoes text;
ALTER TABLE imports ADD COLUMN undone_by text;
ALTER TABLE imports ADD COLUMN applied_after bigint;
CREATE INDEX imports_undoes ON imports (undoes) WHERE undoes IS NOT NULL;
`;
