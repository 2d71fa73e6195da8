import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { nextVersion } from '../../scripts/release/next-version.ts';
import { setVersion, theVersion } from '../../scripts/release/versions.ts';
import { linkPackages } from './link-packages.ts';
import { installOffline, pack, ROOT } from './packages.ts';

const LEFT_OUT = /^(?:node_modules|\.git|dist|dist-.*|data|screenshots|.*\.log|.*\.tgz)$/;
const SCHEMAS = ['server/src/store/sqlite/migrations.ts', 'server/src/store/postgres/admin/migrations.ts'];
const SCHEMA_VERSION = 'server/src/store/schema/migrations.ts';
/** A column and an index, as later releases may have them, in the SQL of both engines. */
const LATER = [
  ['suppliers', 'ALTER TABLE pets ADD COLUMN supplier text'],
  ['orders-by-time', 'CREATE INDEX orders_created ON orders (created_at)'],
] as const;
/** The names of these migrations. */
export const LATER_NAMES: readonly string[] = LATER.map(([name]) => name);

/** An installed package of the server. */
export interface InstalledRelease {
  readonly version: string;
  /** Words that run it with Node. */
  readonly words: readonly string[];
}

export interface Releases {
  /** The newest tag `v*`; without one, the checkout. */
  readonly first: InstalledRelease;
  /** The checkout with a higher version; the schema is that of the first release, unless `isSchemaSame` is false. */
  readonly patch: InstalledRelease;
  readonly isSchemaSame: boolean;
  /** The checkout with a higher version and two more migrations. */
  readonly next: InstalledRelease;
}

/** Packs three releases, and installs each offline in a folder of its own. */
export function installReleases(t: TestContext, folder: string): Releases {
  const tag = newestTag(t);
  const source = tag === undefined ? ROOT : treeOf(t, tag, join(folder, 'tag'));
  t.diagnostic(`the first release is ${tag ?? 'the checkout, because it has no tag v*'}`);
  const version = theVersion(source);
  const first = install(folder, source, version);

  const copy = join(folder, 'copy');
  const pages = join(ROOT, 'web/dist');
  const isCopied = (path: string) => path === ROOT || path === pages || !LEFT_OUT.test(basename(path));
  cpSync(ROOT, copy, { recursive: true, filter: isCopied });
  linkPackages(copy);
  const patch = install(folder, copy, nextVersion(version, 'patch'));

  for (const file of SCHEMAS) {
    for (const [name, sql] of LATER) {
      const migration = `{ version: MIGRATIONS.length + 1, name: '${name}', sql: '${sql}' }`;
      appendFileSync(join(copy, file), `\n(MIGRATIONS as Migration[]).push(${migration});\n`);
    }
  }
  raiseSchemaVersion(join(copy, SCHEMA_VERSION), LATER.length);
  const isSchemaSame = migrationsOf(source) === migrationsOf(ROOT);
  return { first, patch, isSchemaSame, next: install(folder, copy, nextVersion(version, 'minor')) };
}

/** @returns `undefined` without git, without a repository or without a tag. */
function newestTag(t: TestContext): string | undefined {
  try {
    return git('tag', '--list', 'v*', '--sort=-v:refname').split('\n')[0] || undefined;
  } catch {
    t.diagnostic('NOT RUN from the newest tag: there is no git, or no repository.');
    return undefined;
  }
}

function treeOf(t: TestContext, tag: string, folder: string): string {
  git('worktree', 'add', '--detach', folder, tag);
  t.after(() => void git('worktree', 'remove', '--force', folder));
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'pipe' });
  return folder;
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function install(folder: string, root: string, version: string): InstalledRelease {
  if (theVersion(root) !== version) {
    setVersion(root, version);
    // No step looks at the pages, whose build takes most of the time.
    const index = join(root, 'web/dist/index.html');
    if (existsSync(index)) utimesSync(index, new Date(), new Date());
  }
  const own = join(folder, version);
  mkdirSync(own);
  const shop = installOffline(own, [pack('server', own, root)]);
  return { version, words: [join(shop, 'node_modules/.bin/petstore-server')] };
}

/** Sets the version of the newest migration, which an instance compares with that of its database. */
function raiseSchemaVersion(file: string, added: number): void {
  const source = readFileSync(file, 'utf8');
  const raised = source.replace(/(?<=SCHEMA_VERSION = )\d+/, (version) => `${Number(version) + added}`);
  assert.notEqual(raised, source, `${file} has the version of the schema`);
  writeFileSync(file, raised);
}

/** The migrations of both engines, as the release of a checkout has them. */
function migrationsOf(root: string): string {
  const urls = SCHEMAS.map((file) => JSON.stringify(join(root, file)));
  const script = `const found = await Promise.all([${urls.join()}].map((file) => import(file)));
process.stdout.write(JSON.stringify(found.map(({ MIGRATIONS }) => MIGRATIONS)));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
}
