/** Whether any import waits for a runner, or must be deleted; `$1` is the time since which an old one was not touched. */
export const IMPORT_WORK = `SELECT 1 FROM imports WHERE state IN ('receiving', 'checking', 'applying', 'deleted')
OR updated_at <= $1 LIMIT 1`;
