import { indented } from '../../scripts/schema-types.ts';
import { methodOf, queryType } from './client-methods.ts';
import { ClientTypes } from './client-types.ts';
import { operationsOf, readDocument } from './document.ts';

/** An entry of the package: the document that it is made from, and the names of what is made. */
interface Entry {
  readonly document: string;
  readonly base: string;
  readonly operations: string;
  /** The folder of its files in `client/src`, and the way back. */
  readonly folder: string;
  readonly root: string;
}

const ENTRIES: readonly Entry[] = [
  { document: 'openapi.json', base: '/v1', operations: 'Operations', folder: 'api', root: '..' },
  {
    document: 'admin-openapi.json',
    base: '/admin/v1',
    operations: 'AdminOperations',
    folder: 'api/admin',
    root: '../..',
  },
];

/** The generated files of the client, by their path below `client/src`. */
export function clientSource(): Readonly<Record<string, string>> {
  const known = new Map<string, string>();
  return Object.assign({}, ...ENTRIES.map((entry) => sourceOf(entry, known))) as Readonly<
    Record<string, string>
  >;
}

/** @param known The declarations of the first entry, by their names; the others import what is the same. */
function sourceOf(
  { document: name, base, operations: className, folder, root }: Entry,
  known: Map<string, string>,
) {
  const note = `// Written by "npm run openapi" from ${name}.`;
  const document = readDocument(name);
  const operations = operationsOf(document);
  const types = new ClientTypes(document, operations);
  const queries = operations.flatMap((operation) => queryType(operation, types) ?? []);
  const methods = operations.map((operation) => indented(methodOf(operation, types)));
  const declarations = new Map(
    [...types.declarations(), ...queries].map((text) => [declaredName(text), text]),
  );
  const shared = sharedNames(declarations, known);
  const own = [...declarations].flatMap(([declared, text]) => (shared.has(declared) ? [] : [text]));
  const schemas = [...importOf(shared), ...own].join('\n\n');
  if (known.size === 0) for (const [declared, text] of declarations) known.set(declared, text);
  const code = methods.join('\n\n');
  return {
    [`${folder}/schemas.ts`]: `${note}\n\n${schemas}\n`,
    [`${folder}/operations.ts`]: `${note}
import type { ApiPromise, PagePromise } from '${root}/api-promise.ts';
import type { ${optionsIn(code)} } from '${root}/options.ts';
import type { RequestParts } from '${root}/http/request.ts';
import type {
${namesIn(code, [...declarations.keys()])}
} from './schemas.ts';

/** Every operation of \`${base}\`, by its \`operationId\`. */
export abstract class ${className} {
  /** Sends a request whose response is one value. */
  protected abstract call<T>(method: string, path: string, parts: RequestParts): ApiPromise<T>;
  /** Sends a request whose response is a page. */
  protected abstract page<T>(method: string, path: string, parts: RequestParts): PagePromise<T>;

${code}
}
`,
  };
}

const OPTIONS = [
  'ConditionalOptions',
  'ConditionalWriteOptions',
  'ExportedFile',
  'FileOptions',
  'RequestOptions',
  'SentFile',
  'StreamOptions',
  'WriteOptions',
];

/** The types of options that the methods use. */
function optionsIn(code: string): string {
  return OPTIONS.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ');
}

function declaredName(text: string): string {
  return /^export (?:type|interface) (\w+)/m.exec(text)?.[1] as string;
}

/** The names whose declarations are the same in both documents, with all that they refer to. */
function sharedNames(
  declarations: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const shared = new Set(
    [...declarations].flatMap(([name, text]) => (known.get(name) === text ? [name] : [])),
  );
  const referred = (text: string) =>
    (text.replaceAll(/^ *(?:\/\*\*| \*).*$/gm, '').match(/\b[A-Z]\w+/g) ?? []).filter((name) =>
      declarations.has(name),
    );
  for (let before = -1; before !== shared.size;) {
    before = shared.size;
    for (const name of shared) {
      const isWhole = referred(declarations.get(name) as string).every((other) => shared.has(other));
      if (!isWhole) shared.delete(name);
    }
  }
  return shared;
}

/** Imports what the first entry declares, and exports it again. */
function importOf(shared: ReadonlySet<string>): readonly string[] {
  if (shared.size === 0) return [];
  const names = [...shared].map((name) => `  ${name},`).join('\n');
  return [`import type {\n${names}\n} from '../schemas.ts';\n\nexport type {\n${names}\n};`];
}

/** The declared types that the methods use. */
function namesIn(code: string, declared: readonly string[]): string {
  const used = declared.filter((name) =>
    new RegExp(`[<( ]${name}\\b`).test(code.replaceAll(/^ +\*.*$/gm, '')),
  );
  return used
    .toSorted()
    .map((name) => `  ${name},`)
    .join('\n');
}
