import { indented } from '../../scripts/schema-types.ts';
import { methodOf, queryType } from './client-methods.ts';
import { ClientTypes } from './client-types.ts';
import { operationsOf, readDocument } from './document.ts';

const NOTE = '// Written by "npm run openapi" from openapi.json.';

/** The generated files of the client, by their path below `client/src`. */
export function clientSource(): Readonly<Record<string, string>> {
  const document = readDocument();
  const operations = operationsOf(document);
  const types = new ClientTypes(document, operations);
  const queries = operations.flatMap((operation) => queryType(operation, types) ?? []);
  const methods = operations.map((operation) => indented(methodOf(operation, types)));
  const schemas = [...types.declarations(), ...queries].join('\n\n');
  const code = methods.join('\n\n');
  return {
    'api/schemas.ts': `${NOTE}\n\n${schemas}\n`,
    'api/operations.ts': `${NOTE}
import type { ApiPromise, PagePromise } from '../api-promise.ts';
import type { ConditionalOptions, ConditionalWriteOptions, RequestOptions, StreamOptions, WriteOptions } from '../options.ts';
import type { RequestParts } from '../http/request.ts';
import type {
${namesIn(code, schemas)}
} from './schemas.ts';

/** Every operation of \`/v1\`, by its \`operationId\`. */
export abstract class Operations {
  /** Sends a request whose response is one value. */
  protected abstract call<T>(method: string, path: string, parts: RequestParts): ApiPromise<T>;
  /** Sends a request whose response is a page. */
  protected abstract page<T>(method: string, path: string, parts: RequestParts): PagePromise<T>;

${code}
}
`,
  };
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
