import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseNotes } from './changelog.ts';
import { sbomOfClient, sbomOfPages, sbomOfServer } from './sbom.ts';

const PUBLISHED = ['server', 'client'];
const CHECKSUMS = 'SHA256SUMS';

export interface Artifact {
  readonly name: string;
  readonly bytes: number;
}

/** The names of the files of a release. */
const OWN_FILE =
  /^(?:SHA256SUMS|notes\.md|(?:server|client|pages)\.cdx\.json|petstore-(?:inventory|server)-[\w.-]+)$/;

/**
 * Makes all files of a release in a folder that is new, empty, or has those of an earlier run.
 * @throws Error when the folder has anything else, and before anything is deleted
 * @param targets Platforms of executables, such as `bun-linux-arm64`; empty: this one.
 */
export function buildRelease(
  root: string,
  folder: string,
  version: string,
  targets: readonly string[],
): Artifact[] {
  makeEmpty(folder);
  const run = (command: string, ...words: readonly string[]) =>
    execFileSync(command, words, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  for (const workspace of PUBLISHED) {
    // Compilers leave the output of modules that are gone.
    rmSync(join(root, workspace, 'dist'), { recursive: true, force: true });
    run('npm', 'pack', '--silent', '--workspace', workspace, '--pack-destination', folder);
  }
  write('server.cdx.json', sbomOfServer(root));
  write('client.cdx.json', sbomOfClient(root));
  write('pages.cdx.json', sbomOfPages(root));
  const script = join(root, 'server/scripts/build-executable.ts');
  for (const target of targets.length > 0 ? targets : [undefined]) {
    const outfile = join(folder, executableName(target));
    const words = [script, '--outfile', outfile, ...(target === undefined ? [] : ['--target', target])];
    run(process.execPath, ...words);
  }
  write(CHECKSUMS, checksumsOf(folder));
  // After the checksums: the notes are not a file that users download.
  write('notes.md', `${releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)}\n`);
  return readdirSync(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
}

/** Removes the files of an earlier run. A folder with other files may be a mistake, such as the home of a person. */
export function makeEmpty(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const entries = readdirSync(folder, { withFileTypes: true });
  const other = entries.find((entry) => !entry.isFile() || !OWN_FILE.test(entry.name));
  if (other)
    throw new Error(`${folder} has ${other.name}, which is no file of a release: name an empty folder.`);
  for (const { name } of entries) rmSync(join(folder, name));
}

/** `petstore-server-linux-x64` for `bun-linux-x64-baseline`. */
export function executableName(target = `bun-${process.platform}-${process.arch}`): string {
  const platform = target.replace(/^bun-/, '').replace(/-baseline$/, '');
  return `petstore-server-${platform}${target.includes('windows') ? '.exe' : ''}`;
}

/** As `sha256sum --check` reads them. */
function checksumsOf(folder: string): string {
  const lines = readdirSync(folder)
    .toSorted()
    .map((name) => {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex');
      return `${hash}  ${name}\n`;
    });
  return lines.join('');
}
