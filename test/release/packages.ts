import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 300_000;

export interface Tarball {
  readonly path: string;
  /** Compressed. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly string[];
}

/** Packs a workspace of a checkout as a release does. */
export function pack(workspace: string, folder: string, root = ROOT): Tarball {
  const output = npm(root, 'pack', '--workspace', workspace, '--pack-destination', folder, '--json');
  // Scripts of the package write their own lines before it.
  const [packed] = JSON.parse(output.slice(output.search(/^\[$/m))) as [
    Omit<Tarball, 'path' | 'files'> & { filename: string; files: { path: string }[] },
  ];
  const { filename, size, unpackedSize, files } = packed;
  return { path: join(folder, filename), size, unpackedSize, files: files.map(({ path }) => path) };
}

/**
 * Installs tarballs with their production dependencies in an empty folder, without the network. The first installation
 * fills npm's cache where that lacks something, in another folder.
 */
export function installOffline(parent: string, tarballs: readonly Tarball[]): string {
  const paths = tarballs.map(({ path }) => path);
  const install = (name: string, mode: string) => {
    const folder = join(parent, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    npm(folder, 'install', '--omit=dev', '--no-audit', '--no-fund', mode, ...paths);
    return folder;
  };
  install('warm', '--prefer-offline');
  return install('shop', '--offline');
}

/** Runs npm without the variables of an npm that runs this test. */
function npm(folder: string, ...words: readonly string[]): string {
  const kept = Object.entries(machineEnvironment()).filter(([name]) => !name.startsWith('npm_'));
  return execFileSync('npm', words, {
    cwd: folder,
    env: Object.fromEntries(kept),
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Every file fits one of the patterns, and every pattern a file. */
export function assertFiles({ files }: Tarball, patterns: readonly RegExp[]): void {
  const unexpected = files.filter((file) => !patterns.some((pattern) => pattern.test(file)));
  assert.deepEqual(unexpected, []);
  for (const pattern of patterns)
    assert.ok(
      files.some((file) => pattern.test(file)),
      String(pattern),
    );
}
