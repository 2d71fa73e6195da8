/**
 * The fourteenth migration of both engines, in the types of PostgreSQL: the SHA-256 of the file of an import, by which a file
 * is found that was applied before. Of an import that an earlier release checked it is unknown.
 */
export const IMPORT_HASHES = `
ALTER TABLE imports ADD COLUMN file_hash bytea;
CREATE INDEX imports_file ON imports (file_hash);
`;
