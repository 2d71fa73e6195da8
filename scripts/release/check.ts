import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildRelease, executableName } from './build.ts';
import { releaseNotes } from './changelog.ts';
import { theVersion } from './versions.ts';

/*
 * All of a release that needs no registry and no forge: one version everywhere, notes, packages, executables, lists of
 * packages (SBOM) and checksums. Publishing is .github/workflows/release.yml.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { values } = parseArgs({
  options: {
    // A tag such as v1.2.3, which the version must match.
    tag: { type: 'string' },
    // A platform such as bun-linux-arm64; repeatable. Bun downloads the runtime of another platform.
    target: { type: 'string', multiple: true, default: [] },
    output: { type: 'string', default: join(ROOT, 'dist/release') },
  },
});

const version = theVersion(ROOT);
if (values.tag !== undefined && values.tag !== `v${version}`) {
  throw new Error(
    `The tag is ${values.tag}, but the version is ${version}: run npm run release:version first.`,
  );
}
releaseNotes(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version);

// The commands of a build run in other folders.
const output = resolve(values.output);
const artifacts = buildRelease(ROOT, output, version, values.target);
if (values.target.length === 0) {
  const printed = execFileSync(join(output, executableName()), ['--version'], {
    encoding: 'utf8',
  }).trim();
  if (printed !== version) throw new Error(`The executable is version ${printed}, not ${version}.`);
}
for (const { name, bytes } of artifacts) process.stdout.write(`${String(bytes).padStart(11)}  ${name}\n`);
process.stdout.write(`Release ${version} is in ${output}.\n`);
