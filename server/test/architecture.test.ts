import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../src/config.ts';
import { defineAdminOperations } from '../src/http/admin/operations.ts';
import { defineOperations } from '../src/http/operations.ts';

const ROOT = fileURLToPath(new URL('../src/', import.meta.url));

interface Import {
  /** A file below `src`, or a package or module of the platform. */
  readonly name: string;
  /** Whether only types are imported: nothing of it is left when the program runs. */
  readonly isType: boolean;
}

const ZOD = '@hono/zod-openapi$';
const DOMAIN_BASE = 'domain/(?:errors|inventory|maybe-promise)\\.ts$';
const STORE_BASE =
  'store/(?:batch-queue|batches|cleaned-up|complete-file|errors|hex|listeners|sql-client|store-options)\\.ts$';
const STORE_CONCEPTS =
  'store/(?:access|audit|history|idempotency|imports|ledger|list|orders|pets|prune|reorders|reports|schema|stocktakes|usage|webhooks)/';

/**
 * Imports that the files of each folder may have, besides those of the same folder; the most specific line counts.
 * A folder imports only folders of lines above its own: imports run one way.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'domain/ledger/': ['node:', DOMAIN_BASE],
  'domain/orders/': ['node:', DOMAIN_BASE, 'domain/ledger/'],
  'domain/access/': ['node:', DOMAIN_BASE],
  'domain/management/': ['node:', DOMAIN_BASE, 'domain/timestamps\\.ts$', 'domain/(?:ledger|orders|access)/'],
  'domain/management/reports/': [
    DOMAIN_BASE,
    'domain/timestamps\\.ts$',
    'domain/ledger/',
    'domain/management/(?:export-sheet|pet-export|pets|stocktakes)\\.ts$',
  ],
  'domain/actions/': ['node:', 'domain/'],
  'domain/webhooks/': ['node:', DOMAIN_BASE, 'domain/(?:ledger|orders|access|management)/'],
  'domain/': ['node:', 'domain/(?:ledger|orders|access|management|webhooks)/'],
  'process/': ['node:', DOMAIN_BASE],
  'wire/': ['domain/', 'fflate'],
  'listen/': ['node:', 'domain/', 'process/'],

  'http/request/': ['node:', 'domain/', 'listen/', 'hono/utils/accept$', ZOD],
  'http/schemas/': ['domain/', 'http/request/', ZOD],
  'http/openapi/': ['node:', 'domain/', 'listen/', 'http/(?:request|schemas)/', ZOD],
  'http/operation/': ['node:', 'domain/', 'listen/', 'http/(?:request|schemas|openapi)/', ZOD],
  'http/metrics/': ['node:', 'domain/', 'process/', 'prom-client(?:$|/lib/)'],
  'http/dashboard/': ['node:', 'domain/', 'process/', 'listen/', 'http/(?:access|request)/'],
  'http/access/': ['node:', 'domain/', 'listen/', 'http/(?:request|schemas|openapi|operation)/', ZOD],
  'http/movements/': [
    'node:',
    'domain/',
    'process/',
    'wire/',
    'listen/',
    'http/(?:request|schemas|openapi|operation)/',
    ZOD,
  ],
  'http/inventory/': [
    'node:',
    'domain/',
    'process/',
    'listen/',
    'http/(?:request|schemas|openapi|operation|movements)/',
    ZOD,
  ],
  'http/catalog/': [
    'node:crypto$',
    'domain/',
    'http/(?:request|schemas|openapi|operation)/',
    'http/inventory/list-query\\.ts$',
    ZOD,
  ],
  'http/writes/': [
    'node:',
    'domain/',
    'wire/',
    'listen/',
    'http/(?:request|schemas|openapi|operation|movements)/',
    ZOD,
  ],
  'http/orders/': [
    'node:',
    'domain/',
    'wire/',
    'listen/',
    'http/(?:request|schemas|openapi|operation|writes)/',
    ZOD,
  ],
  'http/webhooks/': [
    'node:',
    'domain/',
    'wire/',
    'listen/',
    'http/(?:request|schemas|openapi|operation|movements|orders)/',
    ZOD,
  ],
  'http/live/': [
    'node:',
    'domain/',
    'process/',
    'wire/',
    'listen/',
    'http/(?:request|schemas|openapi|operation|movements)/',
    ZOD,
  ],
  'http/admin/': ['node:', 'domain/', 'wire/', 'listen/(?:exchange|body-pieces)\\.ts$', 'http/', ZOD],
  'http/': ['node:', 'domain/', 'listen/exchange\\.ts$', 'http/', 'hono/router/reg-exp-router$'],

  'store/': ['node:', 'domain/'],
  'store/access/': ['node:', 'domain/', STORE_BASE],
  'store/idempotency/': ['node:', 'domain/', STORE_BASE],
  'store/list/': ['node:', 'domain/', STORE_BASE],
  'store/ledger/': ['node:', 'domain/', STORE_BASE, 'store/idempotency/'],
  'store/schema/': ['node:', 'domain/', STORE_BASE, 'store/ledger/'],
  'store/history/': ['node:', 'domain/', STORE_BASE, 'store/(?:ledger|list)/'],
  'store/orders/': ['node:', 'domain/', STORE_BASE, 'store/history/'],
  'store/imports/': [
    'node:',
    'domain/',
    STORE_BASE,
    'store/ledger/',
    'store/pets/(?:pet-codes|read-pets|suppliers).ts',
  ],
  'store/pets/': ['node:', 'domain/', STORE_BASE, 'store/(?:ledger|history)/'],
  'store/stocktakes/': ['node:', 'domain/', STORE_BASE, 'store/pets/'],
  'store/reports/': ['node:', 'domain/', STORE_BASE, 'store/history/'],
  'store/reorders/': ['node:', 'domain/', STORE_BASE, 'store/(?:ledger|pets)/'],
  'store/audit/': ['node:', 'domain/', STORE_BASE, 'store/(?:ledger|list|history)/'],
  'store/prune/': ['node:', 'domain/', STORE_BASE, 'store/(?:ledger|audit|history)/'],
  'store/webhooks/': ['node:', 'domain/', STORE_BASE, 'store/(?:history|ledger)/'],
  'store/usage/': ['node:', 'domain/', STORE_BASE],
  'store/admin/': ['node:', 'domain/', STORE_BASE, STORE_CONCEPTS, 'store/admin/'],
  'store/sqlite/file/': ['node:', 'domain/'],
  'store/sqlite/': ['node:', 'domain/', 'process/', STORE_BASE, STORE_CONCEPTS, 'store/sqlite/file/'],
  'store/sqlite/admin/': [
    'node:',
    'domain/',
    'process/',
    STORE_BASE,
    STORE_CONCEPTS,
    'store/(?:admin|sqlite)/',
  ],
  'store/postgres/server/': ['node:', 'domain/', 'pg$'],
  'store/postgres/': [
    'node:',
    'domain/',
    'process/',
    STORE_BASE,
    STORE_CONCEPTS,
    'store/postgres/server/',
    'pg$',
  ],
  'store/postgres/admin/': [
    'node:',
    'domain/',
    STORE_BASE,
    STORE_CONCEPTS,
    'store/(?:admin|postgres)/',
    'pg$',
  ],
  'store/open.ts': ['node:', 'domain/', 'store/'],
  'store/open-engine.ts': ['node:', 'domain/', 'store/'],
  'store/open-admin.ts': ['node:', 'domain/', 'store/'],
  'store/move.ts': ['node:', 'domain/', 'store/'],
  'store/backup-folder.ts': ['node:', 'domain/', 'store/'],
  'store/restore.ts': ['node:', 'domain/', 'store/'],
  'store/restore-dump.ts': ['node:', 'domain/', 'store/', 'pg$'],
  'store/verified-backup.ts': ['domain/', 'store/'],
  'store/verified-copy.ts': ['node:', 'domain/', 'store/'],
  'store/verified-dump.ts': ['node:', 'domain/', 'store/', 'pg$'],

  'management/': [
    'node:',
    'domain/',
    'process/',
    'store/(?:errors|open-admin|sql-client)\\.ts$',
    'store/schema/',
  ],
  'management/jobs/': [
    'node:',
    'domain/',
    'process/',
    'management/',
    'store/(?:open-admin|ledger/clock-guard)\\.ts$',
    'store/schema/',
  ],

  'tracing/': ['node:', 'domain/', '@opentelemetry/'],

  'webhooks/delivery/': ['node:', 'domain/', 'ipaddr\\.js$'],
  'webhooks/queues/': [
    'node:',
    'domain/',
    'webhooks/delivery/',
    'store/webhooks/',
    'wire/(?:movement|order)-json\\.ts$',
  ],
  'webhooks/': [
    'node:',
    'domain/',
    'process/',
    'webhooks/(?:delivery|queues)/',
    'management/close-worker\\.ts$',
    'store/webhooks/',
    'store/(?:admin/admin-engine|open-engine|sql-client)\\.ts$',
  ],

  'config-names.ts': ['domain/'],
  'config-parsers.ts': ['node:', 'domain/'],
  'config.ts': ['domain/', 'config-(?:names|parsers|variables)\\.ts$'],
  'config-variables.ts': ['domain/', 'config-parsers\\.ts$'],
  'order-expiry.ts': ['node:', 'domain/'],
  'request-log.ts': ['domain/', 'http/request/', 'pino$'],
  'app-parts.ts': ['domain/', 'http/', 'tracing/tracing\\.ts$', 'config\\.ts$', 'pino$'],
  'app-apis.ts': ['domain/', 'http/', '(?:app-parts|config|request-log)\\.ts$'],
  'app.ts': [
    'domain/',
    'http/',
    'listen/(?:exchange|peer)\\.ts$',
    '(?:app-(?:apis|parts)|request-log)\\.ts$',
  ],
  'cli/': [''],
  'main.ts': [''],
};

/** A folder with more is worth a look. */
const MANY_FILES = 22;

/** The package of what service, client and dashboard share. */
const SHARED = '@petstore-inventory/shared/';

/** Packages, and modules of the shared one, that exactly these files import by more than their types. */
const RESERVED: Readonly<Record<string, RegExp>> = {
  commander: /^cli\//,
  '@opentelemetry/': /^tracing\/otlp-tracing\.ts$/,
  pino: /^cli\//,
  [`${SHARED}terminal/`]: /^cli\//,
  [`${SHARED}pet-file/read`]: /^cli\//,
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

test('every file imports only what its folder may import', () => {
  const offences: string[] = [];
  for (const [file, imported] of imports) {
    const place = placeOf(file);
    assert.notEqual(place, '', `src/${file} has no place in the layout`);
    const allowed = new RegExp(`^(?:${ALLOWED[place]?.join('|')})`);
    for (const { name } of imported) {
      if (name.startsWith(SHARED)) continue;
      const isOwn = dirname(name) === dirname(file) && placeOf(name) === place;
      if (!isOwn && !allowed.test(name)) offences.push(`${file} imports ${name}`);
    }
  }
  assert.deepEqual(offences, []);
});

test('the command line, the CSV reader and the logger are loaded by their own folders only', () => {
  const offences: string[] = [];
  for (const [file, imported] of imports) {
    for (const { name, isType } of imported) {
      const [, allowed] = Object.entries(RESERVED).find(([reserved]) => name.startsWith(reserved)) ?? [];
      if (allowed && !isType && !allowed.test(file)) offences.push(`${file} imports ${name}`);
    }
  }
  assert.deepEqual(offences, []);
});

test('no import cycles, of types either', () => {
  const done = new Set<string>();
  const visit = (file: string, importChain: readonly string[]): void => {
    assert.ok(!importChain.includes(file), `a cycle: ${[...importChain, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const { name } of imports.get(file) ?? []) visit(name, [...importChain, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});

/** The files of a folder of the repository, with their imports; those of their own package have a path from its root. */
function filesOf(folder: string): ReadonlyMap<string, readonly Import[]> {
  const cwd = join(ROOT, '../..', folder);
  const found = globSync('**/*.{ts,tsx}', { cwd }).map((file) => join(folder, file.replaceAll('\\', '/')));
  return new Map(
    found.map((file) => [file, importsOf(file, readFileSync(join(ROOT, '../..', file), 'utf8'))]),
  );
}

test('service, client, dashboard and the shared package import each other by the name of a package only', () => {
  const offences: string[] = [];
  for (const own of ['server', 'client', 'web', 'shared']) {
    const folders = own === 'client' ? ['client/src', 'client/cli'] : [`${own}/src`];
    for (const [file, imported] of new Map(folders.flatMap((folder) => [...filesOf(folder)])))
      for (const { name } of imported)
        if (/^(?:\.\.|server|client|web|shared|bench|scripts)\//.test(name) && !name.startsWith(`${own}/`))
          offences.push(`${file} imports ${name}`);
  }
  assert.deepEqual(offences, []);
});

test('the shared package depends on five packages, and only its terminal and its reader of paths on Node', () => {
  const shared = filesOf('shared/src');
  assert.ok(shared.size > 15);
  const offences = [...shared].flatMap(([file, imported]) => {
    const isForPrograms = file.startsWith('shared/src/terminal/') || file === 'shared/src/pet-file/read.ts';
    const isWorkbook = file.startsWith('shared/src/pet-file/workbook/');
    const allowed = isForPrograms
      ? /^(?:shared\/src\/|node:|(?:@bomb\.sh\/tab|commander|fast-string-width)$)/
      : isWorkbook
        ? /^(?:shared\/src\/|(?:fflate|saxen)$)/
        : /^shared\/src\//;
    return imported.filter(({ name }) => !allowed.test(name)).map(({ name }) => `${file} imports ${name}`);
  });
  assert.deepEqual(offences, []);
});

test('the package of the server depends on each package that its modules and those of the shared package import', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, '../package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const imported = ['server/src', 'shared/src']
    .flatMap((folder) => [...filesOf(folder).values()].flat())
    .filter(
      ({ name, isType }) =>
        !isType && !/^(?:node:|bun$|server\/|shared\/)/.test(name) && !name.startsWith(SHARED),
    );
  const names = new Set(imported.map(({ name }) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name));
  assert.ok(names.has('fast-string-width'), 'which only the shared package imports');
  assert.deepEqual([...names.difference(new Set(Object.keys(dependencies)))], []);
});

test('each folder of the dashboard imports what web/README.md allows', () => {
  const table = readFileSync(join(ROOT, '../../web/README.md'), 'utf8').matchAll(
    /^\| `([\w./-]+)(?:<page>\/)?` \|.*\| ([^|]*)\|$/gm,
  );
  const rows = [...table].map(([, place = '', allowed = '']) => ({ place, allowed }));
  assert.ok(rows.length > 15, `${rows.length} rows`);
  const mutual = rows.filter(({ allowed }) => allowed.includes('each other')).map(({ place }) => place);
  const allowedIn = new Map(
    rows.map(({ place, allowed }, i) => {
      const above = allowed.includes('all above') ? rows.slice(0, i).map((row) => row.place) : [];
      const named = [...allowed.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      return [
        place,
        allowed.includes('everything')
          ? ['']
          : [...above, ...(mutual.includes(place) ? mutual : []), ...named],
      ];
    }),
  );
  const offences: string[] = [];
  for (const [path, imported] of filesOf('web/src')) {
    const file = path.slice('web/src/'.length);
    const place = rows.find((row) => file.startsWith(row.place))?.place ?? '';
    assert.notEqual(place, '', `${file} is in no row of web/README.md`);
    const own = /^pages\/[\w-]+\//.exec(file)?.[0] ?? place;
    const allowed = [own, ...(allowedIn.get(place) ?? [])];
    for (const { name } of imported) {
      const target = /^web\/src\/(.*)/.exec(name)?.[1];
      if (target !== undefined && !allowed.some((one) => target.startsWith(one)))
        offences.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(offences, []);
});

test('the dashboard imports what runs in a browser', () => {
  const shared = filesOf('shared/src');
  const used = [...filesOf('web/src').values()].flat().filter(({ name }) => name.startsWith(SHARED));
  assert.ok(used.length > 0);
  const reached = new Set(used.map(({ name }) => `shared/src/${name.slice(SHARED.length)}.ts`));
  for (const file of reached)
    for (const { name, isType } of shared.get(file) ?? []) if (!isType) reached.add(name);
  assert.deepEqual(
    [...reached].filter((name) => !shared.has(name) && !/^(?:fflate|saxen)$/.test(name)),
    [],
    'modules of Node and packages',
  );
});

/** Files whose exports others than imports use: the entry of the library, what generators write, and the entry of an executable. */
const OUTER = /^client\/src\/(?:index|admin\/index)\.ts$|\/api\/|^server\/src\/process\/release-files\.ts$/;

const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;

/** A statement with names; or all of a file, as a namespace or by a call of import(), which may use any export. */
const NAMED_IMPORT =
  /^(?:import|export)\s+(?:type\s+)?(?:\{([^}]+)\}|\* as \w+)\s+from\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

test('each export has an importer', () => {
  const everywhere = ['server', 'client', 'web', 'shared', 'bench', 'scripts', 'examples', 'test'];
  const cwd = join(ROOT, '../..');
  const used = new Set<string>();
  const exported = new Map<string, readonly string[]>();
  for (const file of globSync(`{${everywhere}}/**/*.{ts,tsx}`, {
    cwd,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist)(?:$|\/)/.test(name),
  })) {
    const source = readFileSync(join(cwd, file), 'utf8');
    for (const [, names, from, called] of source.matchAll(NAMED_IMPORT)) {
      const module = basename(from ?? called ?? '').replace(/\.tsx?$/, '');
      if (names === undefined) used.add(module);
      for (const name of names?.matchAll(/(?:^|,)\s*(?:type\s+)?(\w+)/g) ?? [])
        used.add(`${module} ${name[1]}`);
    }
    if (/^(?:(?:server|client|web|shared)\/src|client\/cli)\//.test(file) && !OUTER.test(file))
      exported.set(
        file,
        [...source.matchAll(EXPORT)].map(([, name = '']) => name),
      );
  }
  assert.ok(exported.size > 1_000, `${exported.size} files`);
  const offences: string[] = [];
  for (const [file, names] of exported) {
    const module = basename(file).replace(/\.tsx?$/, '');
    for (const name of names)
      if (!used.has(module) && !used.has(`${module} ${name}`)) offences.push(`${file}: ${name}`);
  }
  assert.deepEqual(offences, []);
});

test('no file re-exports from another file', () => {
  const reexporting = [...sources].filter(([, source]) => /^export\s[^;'"=(]*\bfrom\s+'/m.test(source));
  assert.deepEqual(
    reexporting.map(([file]) => file),
    [],
  );
});

test('each operation is written once, in the file of its resource, and is in an interface', () => {
  const options = readConfig({});
  const interfaces = [defineOperations(options), defineAdminOperations(options)];
  for (const one of interfaces) {
    const places = one.map(({ route }) => `${route.method} ${route.path}`);
    assert.deepEqual(places, [...new Set(places)], 'each place once');
  }
  const definitions = interfaces.flat();
  const routes = new Map(definitions.map(({ route }) => [route.operationId, route]));
  assert.ok(routes.size >= 80, `${routes.size} operations`);
  const files = new Map<string, string[]>();
  for (const [file, source] of sources) {
    if (!file.startsWith('http/')) continue;
    for (const [, id = ''] of source.matchAll(/\b(?:id|operationId): '(\w+)'/g)) {
      files.set(file, [...(files.get(file) ?? []), id]);
    }
  }
  const written = [...files.values()].flat();
  assert.deepEqual(written.toSorted(), [...routes.keys()].toSorted(), 'each id once');
  for (const [file, ids] of files) {
    const all = ids.map((id) => routes.get(id));
    const tags = new Set(all.flatMap((route) => route?.tags ?? []));
    assert.equal(tags.size, 1, `${file} has operations of ${[...tags].join(' and ')}`);
    // By hand, or of one resource: its tag, or a part of its path.
    const names = ids.length === 1 ? ids.map(kebab) : [];
    for (const tag of tags) names.push(tag.toLowerCase().replaceAll(' ', '-'));
    for (const route of all) names.push(...(route?.path.match(/[a-z-]{3,}(?=\/|$)/g) ?? []));
    assert.ok(names.includes(basename(file, '.ts')), `${file} has the name of no resource: ${names.join()}`);
  }
});

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

test('the clock of the machine is read in one place, for those who need it', () => {
  const reading = [...sources].filter(([, source]) => /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)/.test(source));
  assert.deepEqual(
    reading.map(([file]) => file),
    ['domain/timestamps.ts'],
  );
  const using = [...sources].filter(([, source]) => source.includes('machineTimeMs'));
  assert.deepEqual(using.map(([file]) => file).toSorted(), [
    'cli/backups.ts',
    'cli/doctor.ts',
    'cli/restore.ts',
    'domain/timestamps.ts',
    'http/request/request-context.ts',
    'listen/bun.ts',
    'listen/parse-errors.ts',
    'store/sqlite/admin/engine.ts',
    'store/sqlite/store.ts',
    'tracing/otlp-tracing.ts',
    'webhooks/sender-worker.ts',
  ]);
});

test('the imports of every file are found, in any notation', () => {
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

test('the folders with the most files are shown: cohesion decides how many are too many', (t) => {
  const counts = new Map<string, number>();
  for (const folder of [
    'src',
    'test',
    '../bench/src',
    '../web/src',
    '../client/cli',
    '../client/src',
    '../shared/src',
  ]) {
    const cwd = fileURLToPath(new URL(`../${folder}`, import.meta.url));
    for (const file of globSync('**/*.*', { cwd })) {
      const key = dirname(`${folder}/${file}`);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  assert.ok(counts.size > 40, `${counts.size} folders`);
  for (const [folder, count] of counts) if (count > MANY_FILES) t.diagnostic(`${folder}: ${count} files`);
});

/** No disk: sockets, and the ends of threads. A thread that runs `webhooks/queues/` is started again after an error. */
const WITHOUT_BACKGROUND = /^(?:listen|cli|webhooks\/queues)\/|close-worker\.ts$/;

test('work for which no caller waits is started by inBackground, so that no error of it ends the process', () => {
  const offences: string[] = [];
  for (const [file, source] of sources) {
    if (WITHOUT_BACKGROUND.test(file)) continue;
    const found =
      source.match(
        /\bvoid [\w.#]+\(.*|\bPromise\.resolve\([\w.#]+\(.*|\.then\(\(\) => this\.#\w+\(\)\);$/gm,
      ) ?? [];
    offences.push(...found.map((text) => `${file}: ${text}`));
  }
  assert.deepEqual(offences, []);
});

test('stock is written by the statements that CONTRIBUTING.md names', () => {
  const writes = /(?:UPDATE|INTO|DELETE FROM) inventory\b/;
  const writers = [...sources].filter(([, text]) => writes.test(text)).map(([file]) => file);
  assert.deepEqual(writers.toSorted(), [
    'store/imports/pet-import.ts',
    'store/pets/write-pet.ts',
    'store/postgres/statements.ts',
    'store/sqlite/statements.ts',
  ]);
});
