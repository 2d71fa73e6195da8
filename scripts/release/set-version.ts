import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BETA_UNTIL } from '../../server/src/http/admin/document.ts';
import { closeUnreleased } from './changelog.ts';
import { nextVersion } from './next-version.ts';
import { keepDocuments, requireBetaInTime } from './released-documents.ts';
import { requireUnreleased } from './unreleased.ts';
import { setVersion, theVersion } from './versions.ts';

/* npm run release:version -- minor */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHANGELOG = join(ROOT, 'CHANGELOG.md');

const version = nextVersion(theVersion(ROOT), ...process.argv.slice(2));
const day = new Date().toISOString().slice(0, 10);
// Before anything is written, because all of them may refuse.
requireUnreleased(ROOT, version);
requireBetaInTime(ROOT, day, BETA_UNTIL);
const changelog = closeUnreleased(readFileSync(CHANGELOG, 'utf8'), version, day);
setVersion(ROOT, version);
keepDocuments(ROOT);
writeFileSync(CHANGELOG, changelog);
process.stdout.write(`Version ${version}. Next: npm run release:check, commit, and tag v${version}.\n`);
