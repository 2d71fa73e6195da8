import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** The packages of this repository, which a copy has itself. */
const OWN = '@petstore-inventory';

/** Links the installed packages into a copy of the repository. */
export function linkPackages(copy: string): void {
  const folder = join(copy, 'node_modules');
  mkdirSync(join(folder, OWN), { recursive: true });
  for (const name of readdirSync(PACKAGES))
    if (name !== OWN) symlinkSync(join(PACKAGES, name), join(folder, name));
  for (const name of readdirSync(join(PACKAGES, OWN)))
    symlinkSync(join('../..', name), join(folder, OWN, name));
}
