import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A release has one version. `openapi.json` has another one, that of the interface. */
const MANIFESTS = ['.', 'server', 'client', 'web', 'bench', 'shared'];
const LOCK = 'package-lock.json';
/** Other places: a file, and what is before a version in it. */
const MENTIONS: readonly (readonly [file: string, before: RegExp])[] = [
  ['client/src/version.ts', /VERSION = '/],
  ['deploy/Dockerfile', /petstore-server(?:-backup)?:|image\.version="/],
  ['deploy/README.md', /petstore-server(?:-backup)?:/],
  ['deploy/compose.yaml', /petstore-server(?:-backup)?:/],
  ['deploy/helm/Chart.yaml', /\n(?:version|appVersion): /],
  ['deploy/kubernetes/kustomization.yaml', /newTag: /],
  ['docs/runbook.md', /petstore-server(?:-backup)?:/],
  ['docs/webhooks.md', /user-agent: petstore-inventory\//],
];

interface Lock {
  version: string;
  packages: Record<string, { version?: string }>;
}

/** Every place of the version, with the versions in it. */
export function versionsIn(root: string): ReadonlyMap<string, readonly string[]> {
  const manifests = MANIFESTS.map((folder) => join(folder, 'package.json'));
  const lock = readJson<Lock>(root, LOCK);
  return new Map<string, readonly string[]>([
    ...manifests.map((file) => [file, [readJson<{ version: string }>(root, file).version]] as const),
    [LOCK, [lock.version, ...MANIFESTS.map((folder) => lock.packages[lockName(folder)]?.version ?? 'none')]],
    ...MENTIONS.map(([file, before]) => {
      const found = [...readFileSync(join(root, file), 'utf8').matchAll(mentionOf(before))];
      return [file, found.length === 0 ? ['none'] : found.map(([, , version = '']) => version)] as const;
    }),
  ]);
}

/** @throws Error that names the places which differ. */
export function theVersion(root: string): string {
  const places = versionsIn(root);
  const [version = ''] = places.get('package.json') ?? [];
  const other = [...places].filter(([, versions]) => versions.some((one) => one !== version));
  if (other.length === 0) return version;
  const named = other.map(([file, versions]) => `${file} has ${[...new Set(versions)].join(' and ')}`);
  throw new Error(`package.json has version ${version}, but ${named.join(', ')}.`);
}

/** Writes the version to all its places. */
export function setVersion(root: string, version: string): void {
  for (const folder of MANIFESTS) {
    const file = join(folder, 'package.json');
    writeJson(root, file, { ...readJson<object>(root, file), version });
  }
  const lock = readJson<Lock>(root, LOCK);
  lock.version = version;
  for (const folder of MANIFESTS) {
    const entry = lock.packages[lockName(folder)];
    if (entry) entry.version = version;
  }
  writeJson(root, LOCK, lock);
  for (const [file, before] of MENTIONS) {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(join(root, file), text.replace(mentionOf(before), `$1${version}`));
  }
}

function mentionOf(before: RegExp): RegExp {
  return new RegExp(`(${before.source})(\\d+\\.\\d+\\.\\d+(?:-[0-9a-z.]+)?)`, 'g');
}

function lockName(folder: string): string {
  return folder === '.' ? '' : folder;
}

function readJson<T>(root: string, file: string): T {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as T;
}

/** As npm writes it. */
function writeJson(root: string, file: string, value: object): void {
  writeFileSync(join(root, file), `${JSON.stringify(value, null, 2)}\n`);
}
