import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Lists of the packages inside a release (CycloneDX), with the versions of the lockfile. `npm sbom` also lists what builds
 * and tests a workspace, and without that it leaves out what a bundle contains.
 */

/** The heading of a license in `licenses.txt`, which Vite and `web/build/other-licenses.ts` write. */
const PACKAGE_OF_PAGES = /^## (?<name>\S+) - (?<version>\S+) \(/gm;
/** The first lines of a license at the end of a file of the command line, which `client/rolldown.config.js` writes. */
const PACKAGE_OF_BUNDLE = /^\/\*\n(?<name>\S+) (?<version>\d\S*)\n$/gm;

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly properties?: readonly { readonly name: string }[];
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The packages that npm installs with the server. */
export function sbomOfServer(root: string): string {
  const { dependencies } = manifestOf(root, 'server');
  const bom = npmSbom(root, 'server');
  const dependsOn = new Map(bom.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
  // A set also returns what is added while it is read.
  const inside = new Set(Object.entries(dependencies ?? {}).map(([name, version]) => `${name}@${version}`));
  for (const ref of inside) for (const other of dependsOn.get(ref) ?? []) inside.add(other);
  return sbomOf(root, 'server', bom, inside);
}

/** The packages inside the built command line of the client. */
export function sbomOfClient(root: string): string {
  const dist = join(root, 'client/dist');
  const bundle = globSync(['petstore.js', 'cli/*.js'], { cwd: dist });
  const text = bundle.map((file) => readFileSync(join(dist, file), 'utf8')).join('');
  return sbomOf(root, 'client', npmSbom(root, 'client'), packagesIn(text, PACKAGE_OF_BUNDLE));
}

/** The packages inside the built pages. */
export function sbomOfPages(root: string): string {
  const licenses = readFileSync(join(root, 'web/dist/licenses.txt'), 'utf8');
  return sbomOf(root, 'web', npmSbom(root, 'web'), packagesIn(licenses, PACKAGE_OF_PAGES));
}

function packagesIn(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].map(({ groups }) => `${groups?.name}@${groups?.version}`));
}

/** @throws Error when a package inside is not installed, or there is none. */
function sbomOf(root: string, workspace: string, bom: Bom, inside: ReadonlySet<string>): string {
  const { name, version } = manifestOf(root, workspace);
  const known = new Map(bom.components.map((component) => [component['bom-ref'], component]));
  const componentOf = (ref: string) => {
    const component = known.get(ref);
    if (component === undefined) throw new Error(`${ref} of ${name} is not among the installed packages.`);
    return component;
  };
  if (inside.size === 0) throw new Error(`${name} has no packages inside.`);
  const own = componentOf(`${name}@${version}`);
  const graph = bom.dependencies.filter(({ ref }) => inside.has(ref));
  return `${JSON.stringify(
    {
      ...bom,
      // npm names it as its folder.
      metadata: { ...bom.metadata, component: { ...own, name } },
      components: [...inside].toSorted().map((ref) => withoutMark(componentOf(ref))),
      dependencies: [
        { ref: own['bom-ref'], dependsOn: [...inside].toSorted() },
        ...graph.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => inside.has(to)) })),
      ],
    },
    null,
    2,
  )}\n`;
}

/** What is bundled is a package for development to npm, and scanners skip those. */
function withoutMark(component: Component): Component {
  const properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development');
  return { ...component, ...(properties && { properties }) };
}

function manifestOf(root: string, workspace: string) {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
}

function npmSbom(root: string, workspace: string): Bom {
  // npm of an `npm run` has settings for this repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const words = ['sbom', '--workspace', workspace, '--sbom-format', 'cyclonedx'];
  const output = execFileSync('npm', words, {
    cwd: root,
    env,
    shell: process.platform === 'win32',
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output) as Bom;
}
