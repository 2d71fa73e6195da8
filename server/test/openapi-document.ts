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
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One operation of a document, with where it stands. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

const file = new URL('../../openapi.json', import.meta.url);

/** The document as it is committed. */
export const DOCUMENT = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;

/** All operations of a document, their methods in upper case. */
export function operationsIn(document: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const places = operationsIn(DOCUMENT).map((documented) => ({
  ...documented,
  pattern: new RegExp(`^/v1${documented.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The committed operation that a request is for; `HEAD` is `GET` without the body. */
export function findOperation(method: string, path: string): DocumentedOperation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  return places.find((place) => place.method === wanted && place.pattern.test(path));
}

/** The methods that the document has for a path. */
export function methodsAt(path: string): string[] {
  return places.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
ajv.addSchema(DOCUMENT, 'openapi.json');
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
