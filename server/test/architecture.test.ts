import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../src/', import.meta.url));

interface Import {
  /** A file below `src`, or a package or module of the platform. */
  readonly name: string;
  /** Whether only types are imported: nothing of it is left when the program runs. */
  readonly isType: boolean;
}

/** What the files of each place may import, beside files of the same place; the most specific place counts. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'domain/': /^node:/,
  'store/': /^(?:node:|domain\/)/,
  'store/postgres/': /^(?:node:|domain\/|store\/[^/]+$|pg$)/,
  'http/': /^(?:node:|domain\/|listen\/exchange\.ts$|hono$|hono\/|@hono\/zod-openapi$|prom-client$)/,
  'http/docs/': /^node:/,
  'listen/': /^(?:node:|domain\/)/,
  'config.ts': /^(?:domain\/|config-(?:names|values)\.ts$)/,
  'config-names.ts': /^domain\//,
  'config-values.ts': /^domain\//,
  'operations.ts': /^(?:domain\/|http\/|config\.ts$)/,
  'app.ts': /^(?:domain\/|http\/|listen\/exchange\.ts$|config\.ts$|operations\.ts$|pino$)/,
  'commands/': /./,
  'main.ts': /./,
};

/** Packages that exactly these files import by more than their types. */
const RESERVED: Readonly<Record<string, RegExp>> = {
  commander: /^commands\//,
  'csv-parse': /^commands\//,
  pino: /^commands\//,
};

// One statement, over several lines or not; or a call of import() with a text.
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:([\w\s{},*$]+?)\s+from\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

const files = globSync('**/*.ts', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const imports = new Map([...sources].map(([file, source]) => [file, importsOf(file, source)]));

function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map(([, type, names = '', from, called]) => {
    const name = from ?? called ?? '';
    const isType = type !== undefined || /^\{(?:\s*type\s+\w+(?: as \w+)?,?)+\s*\}\s*$/.test(names);
    return { name: name.startsWith('.') ? join(dirname(file), name) : name, isType };
  });
}

function placeOf(file: string): string {
  const places = Object.keys(ALLOWED).filter((place) => file.startsWith(place));
  return places.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

test('every file of the service imports only what its place may import', () => {
  const offences: string[] = [];
  for (const [file, imported] of imports) {
    const place = placeOf(file);
    assert.notEqual(place, '', `src/${file} has no place in the layout`);
    const allowed = ALLOWED[place] as RegExp;
    for (const { name } of imported) {
      const isOwn = place.endsWith('/') && name.startsWith(place);
      if (!isOwn && !allowed.test(name)) offences.push(`${file} imports ${name}`);
    }
  }
  assert.deepEqual(offences, []);
});

test('the command line, the CSV reader and the logger are loaded by commands only', () => {
  const offences: string[] = [];
  for (const [file, imported] of imports) {
    for (const { name, isType } of imported) {
      const allowed = RESERVED[name.split('/')[0] as string];
      if (allowed && !isType && !allowed.test(file)) offences.push(`${file} imports ${name}`);
    }
  }
  assert.deepEqual(offences, []);
});

test('no file needs itself, by whatever way around', () => {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    assert.ok(!way.includes(file), `a cycle: ${[...way, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const { name, isType } of imports.get(file) ?? []) {
      if (!isType) visit(name, [...way, file]);
    }
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

test('a file is imported from where it is: none only passes on what others export', () => {
  const passing = [...sources].filter(([, source]) => /^export\s[^;'"=(]*\bfrom\s+'/m.test(source));
  assert.deepEqual(
    passing.map(([file]) => file),
    [],
  );
});

test('the imports of every file were found, however they are written', () => {
  assert.ok(files.length >= 50, `${files.length} files`);
  for (const [file, source] of sources) {
    const mentioned = source.match(/^(?:import\b|\} from ')/gm)?.length ?? 0;
    assert.ok((imports.get(file)?.length ?? 0) >= mentioned / 2, file);
    for (const { name } of imports.get(file) ?? []) {
      assert.ok(!name.endsWith('.ts') || sources.has(name), `${file} imports ${name}, which is not there`);
    }
  }
  const example =
    "import { type A,\n  type B } from './a.ts';\nimport 'node:fs';\nconst c = await import('./c.ts');\n";
  assert.deepEqual(importsOf('http/x.ts', example), [
    { name: 'http/a.ts', isType: true },
    { name: 'node:fs', isType: false },
    { name: 'http/c.ts', isType: false },
  ]);
});
