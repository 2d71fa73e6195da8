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
  return Object.assign({}, ...ENTRIES.map(sourceOf)) as Readonly<Record<string, string>>;
}

function sourceOf({ document: name, base, operations: className, folder, root }: Entry) {
  const note = `// Written by "npm run openapi" from ${name}.`;
  const document = readDocument(name);
  const operations = operationsOf(document);
  const types = new ClientTypes(document, operations);
  const queries = operations.flatMap((operation) => queryType(operation, types) ?? []);
  const methods = operations.map((operation) => indented(methodOf(operation, types)));
  const schemas = [...types.declarations(), ...queries].join('\n\n');
  const code = methods.join('\n\n');
  return {
    [`${folder}/schemas.ts`]: `${note}\n\n${schemas}\n`,
    [`${folder}/operations.ts`]: `${note}
import type { ApiPromise, PagePromise } from '${root}/api-promise.ts';
import type { ${optionsIn(code)} } from '${root}/options.ts';
import type { RequestParts } from '${root}/http/request.ts';
import type {
${namesIn(code, schemas)}
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

/** The declared types that the methods use. */
function namesIn(code: string, schemas: string): string {
  const declared = [...schemas.matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name]) => name as string,
  );
  const used = declared.filter((name) =>
    new RegExp(`[<( ]${name}\\b`).test(code.replaceAll(/^ +\*.*$/gm, '')),
  );
  return used
    .toSorted()
    .map((name) => `  ${name},`)
    .join('\n');
}
