import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of an OpenAPI 3.1 document that the tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface OperationObject {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  readonly 'x-scope'?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** A JSON Schema, as far as ours use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

/** One operation of a document, with where it stands. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

const file = new URL('../../../openapi.json', import.meta.url);

/** The document as it is committed. */
export const DOCUMENT = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;

/** All operations of a document, their methods in upper case. */
export function operationsIn(document: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

// A path that is written out wins over a pattern that it fits (OpenAPI 3.1, Paths Object).
const places = operationsIn(DOCUMENT)
  .map((documented) => ({
    ...documented,
    pattern: new RegExp(`^/v1${documented.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** The operations of the one path of the document that a path is. */
function placesAt(path: string) {
  const found = places.find(({ pattern }) => pattern.test(path));
  return places.filter((place) => place.path === found?.path);
}

/** The committed operation that a request is for; `HEAD` is `GET` without the body. */
export function findOperation(method: string, path: string): DocumentedOperation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return placesAt(path).find((place) => place.method === wanted);
}

/** The methods that the document has for a path, GET first. */
export function methodsAt(path: string): string[] {
  return placesAt(path)
    .map(({ method }) => method)
    .toSorted((a, b) => Number(b === 'GET') - Number(a === 'GET'));
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
ajv.addFormat('date-time', isDateTime);
// RFC 3986, and RFC 3987 for other letters.
ajv.addFormat('uri', (text: string) => URL.canParse(text) && !/[\s\p{Cc}"<>\\^`{|}]/u.test(text));
ajv.addSchema(DOCUMENT, 'openapi.json');

/** RFC 3339 section 5.6, without leap seconds, in years 0001 to 9999 of UTC. */
function isDateTime(text: string): boolean {
  const [, local = '', offset = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,30})?(Z|[+-]\d\d:\d\d)$/.exec(text.toUpperCase()) ?? [];
  const atMs = Date.parse(`${local}${offset}`);
  const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  // `Date` takes 30 February for 2 March, and 24:00 for midnight.
  const isReal = !Number.isNaN(atMs) && new Date(`${local}Z`).toJSON() === `${local}.000Z`;
  return isReal && !local.startsWith('0000') && atMs >= first && atMs <= last;
}

const validators = new Map<string, ValidateFunction>();

/** The validator of the schema that stands at these steps into the committed document. */
export function validatorAt(...steps: readonly string[]): ValidateFunction {
  const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  let validate = validators.get(pointer);
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` });
    validators.set(pointer, validate);
  }
  return validate;
}

/** What a validator found wrong, as one line. */
export function faultsOf(validate: ValidateFunction): string {
  return ajv.errorsText(validate.errors);
}
