import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FORMAT = ['--sbom-format', 'cyclonedx'];

/**
 * The packages that come with an installed package (CycloneDX). It is installed alone first: for a workspace, `npm sbom
 * --omit dev` leaves out whatever another workspace has for development.
 */
export function sbomOfInstalled(workspace: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sbom-'));
  try {
    const manifest = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));
    const { name, version, license, dependencies } = manifest;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, license, dependencies }));
    npm(folder, 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund');
    const sbom = JSON.parse(npm(folder, 'sbom', ...FORMAT));
    // npm calls it as its folder.
    sbom.metadata.component.name = name;
    return `${JSON.stringify(sbom, null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The packages from which the pages are built, tools included. */
export function sbomOfPages(root: string): string {
  return npm(root, 'sbom', '--workspace', 'web', ...FORMAT);
}

function npm(folder: string, ...words: readonly string[]): string {
  // npm of an `npm run` has settings for this repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const shell = process.platform === 'win32';
  return execFileSync('npm', words, {
    cwd: folder,
    env,
    shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
