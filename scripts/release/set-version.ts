import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeUnreleased } from './changelog.ts';
import { nextVersion } from './next-version.ts';
import { requireUnreleased } from './unreleased.ts';
import { setVersion, theVersion } from './versions.ts';

/* npm run release:version -- minor */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

const version = nextVersion(theVersion(ROOT), process.argv[2] ?? '');
// Before anything is written, because both may refuse.
requireUnreleased(ROOT, version);
const changelog = closeUnreleased(
  readFileSync(CHANGELOG, 'utf8'),
  version,
  new Date().toISOString().slice(0, 10),
);
setVersion(ROOT, version);
writeFileSync(CHANGELOG, changelog);
process.stdout.write(`Version ${version}. Next: npm run release:check, commit, and tag v${version}.\n`);
