import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What later builds are compared with. */
const RELEASED = 'server/test/fixtures/released';
const DOCUMENTS = ['openapi.json', 'admin-openapi.json'];

/**
 * Checks that no operation is `beta` after the day that the document of the management API promises.
 * @throws Error that names the day.
 */
export function requireBetaInTime(root: string, day: string, until: string): void {
  if (day <= until) return;
  const late = DOCUMENTS.filter((name) =>
    readFileSync(join(root, name), 'utf8').includes('"x-stability": "beta"'),
  );
  if (late.length === 0) return;
  throw new Error(
    `${late.join(' and ')} promised beta operations until ${until} only (docs/stability.md): make them stable first.`,
  );
}

/** Keeps the documents of this release: a test compares those of later builds with them. */
export function keepDocuments(root: string): void {
  for (const name of DOCUMENTS) copyFileSync(join(root, name), join(root, RELEASED, name));
}
