import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of an OpenAPI 3.1 document that the tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** The requests that the service sends, by their event. */
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly security?: SecurityRequirements;
  readonly 'x-error-codes'?: Readonly<Record<string, { readonly status: number }>>;
  /** Headers of each response. */
  readonly 'x-response-headers'?: Readonly<Record<string, HeaderObject>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, HeaderObject>>;
    readonly parameters?: Readonly<Record<string, ParameterObject>>;
    readonly responses?: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
}

/** A path of the document with a value for each parameter that no resource has to have. */
export function samplePath(path: string, base = '/v1'): string {
  const sample = (_whole: string, name: string) => SAMPLE_IDS[name] ?? '1';
  return base + path.replaceAll(/\{(\w+)\}/g, sample);
}

const SAMPLE_IDS: Readonly<Record<string, string>> = {
  endpointId: 'whe_0000000000000000',
  accountId: 'acc_0000000000000000',
  keyId: 'key_0000000000000000',
  importId: 'imp_0000000000000000',
};

type SecurityRequirements = readonly Readonly<Record<string, readonly string[]>>[];

export interface OperationObject {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  /** The day on which a deprecated operation ends. */
  readonly 'x-sunset'?: string;
  readonly 'x-scope'?: string;
  readonly 'x-role'?: string;
  readonly 'x-costly'?: boolean;
  /** Headers that each response may carry, errors included. */
  readonly 'x-response-headers'?: Readonly<Record<string, HeaderObject>>;
  readonly security?: SecurityRequirements;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface HeaderObject {
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: Content;
  /** The error codes that it may have; without it, all of its status. */
  readonly 'x-error-codes'?: readonly string[];
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

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
  readonly maxItems?: number;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

/** One operation of a document, with its location. */
export interface DocumentedOperation {
  readonly document: OpenApiDocument;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** The text of a committed document. */
export function committedText(name: string): string {
  return readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
}

function committed(name: string): OpenApiDocument {
  return JSON.parse(committedText(name)) as OpenApiDocument;
}

/** The committed document of clients, and that of the management API. */
export const DOCUMENT = committed('openapi.json');
export const ADMIN_DOCUMENT = committed('admin-openapi.json');

/** All committed documents, each with its file and the path of its operations. */
export const DOCUMENTS = [
  { name: 'openapi.json', base: '/v1', document: DOCUMENT },
  { name: 'admin-openapi.json', base: '/admin/v1', document: ADMIN_DOCUMENT },
] as const;

/** The part of a document that a reference names; a description next to the reference replaces the part's own. */
export function resolved<T extends object>(document: OpenApiDocument, part: T): T {
  // Most parts have none, and are not copied.
  if ((part as { readonly $ref?: string }).$ref === undefined) return part;
  const { $ref, ...own } = part as T & { readonly $ref: string };
  const target = $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
  if (typeof target !== 'object' || target === null) throw new Error(`${$ref} leads nowhere.`);
  return { ...resolved(document, target as T), ...own };
}

type Named<T> = Readonly<Record<string, T>>;

function mapped<T, U>(named: Named<T>, change: (value: T) => U): Named<U> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value)]));
}

/** An operation without references, except those of the schemas of bodies. */
function dereferenced(document: OpenApiDocument, operation: OperationObject): OperationObject {
  const withSchema = <T extends { readonly schema: Schema }>(part: T): T => {
    const whole = resolved(document, part);
    return { ...whole, schema: resolved(document, whole.schema) };
  };
  const { security = document.security, parameters } = operation;
  const everyResponse = mapped(
    { ...document['x-response-headers'], ...operation['x-response-headers'] },
    withSchema,
  );
  return {
    ...operation,
    ...(security && { security }),
    ...(parameters && { parameters: parameters.map(withSchema) }),
    responses: mapped(operation.responses, (response) => {
      const { headers = {}, ...others } = resolved(document, response);
      return { ...others, headers: { ...everyResponse, ...mapped(headers, withSchema) } };
    }),
  };
}

const operations = new WeakMap<OpenApiDocument, DocumentedOperation[]>();

/** All operations of a document, their references resolved and their methods in upper case. */
export function operationsIn(document: OpenApiDocument): DocumentedOperation[] {
  const known = operations.get(document);
  if (known) return known;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      document,
      method: method.toUpperCase(),
      path,
      operation: dereferenced(document, operation),
    })),
  );
  operations.set(document, all);
  return all;
}

// A path that is written out wins over a pattern that it fits (OpenAPI 3.1, Paths Object).
const places = DOCUMENTS.flatMap(({ base, document }) =>
  operationsIn(document).map((documented) => ({
    ...documented,
    pattern: new RegExp(`^${base}${documented.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
).toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** The steps to the schema of the message of an event. */
export function messageSteps(type: string): readonly string[] {
  return ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema'];
}

/** The operations of the documented path that matches a path. */
function placesAt(path: string) {
  const found = places.find(({ pattern }) => pattern.test(path));
  return places.filter(({ document, path: other }) => document === found?.document && other === found.path);
}

/** The operation of a committed document that a request is for; `HEAD` is `GET` without the body. */
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

// Most validators run a few times in their process: half of the time of their compilation is not worth it.
const CHEAP = { inlineRefs: false, code: { optimize: false } };
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, ...CHEAP });
ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
ajv.addFormat('int32', {
  type: 'number',
  validate: (value) => Number.isInteger(value) && (value | 0) === value,
});
ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
ajv.addFormat('date-time', isDateTime);
// RFC 3986, and RFC 3987 for other letters.
ajv.addFormat('uri', (text: string) => URL.canParse(text) && !/[\s\p{Cc}"<>\\^`{|}]/u.test(text));
for (const { name, document } of DOCUMENTS) {
  ajv.addSchema(document, name);
  ajv.addSchema(closed(document) as object, `closed-${name}`);
}

/** A document whose objects have their documented members and no others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  const isOpen = members.type === 'object' && 'properties' in members && !('additionalProperties' in members);
  return isOpen ? { ...members, additionalProperties: false } : members;
}

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

/** These steps into a committed document, with every reference on the way followed. */
function followed(document: OpenApiDocument, steps: readonly string[]): string[] {
  let place: string[] = [];
  let value: unknown = document;
  for (const step of steps) {
    place.push(step);
    value = (value as Record<string, unknown> | undefined)?.[step];
    const $ref = (value as { readonly $ref?: string } | undefined)?.$ref;
    if ($ref === undefined) continue;
    place = followed(document, $ref.slice('#/'.length).split('/'));
    value = place.reduce<unknown>((one, name) => (one as Record<string, unknown>)[name], document);
  }
  return place;
}

/** The validator of the schema at these steps into a committed document. */
export function validatorIn(document: OpenApiDocument, ...steps: readonly string[]): ValidateFunction {
  return validatorOfPlace(document, steps, '');
}

/** The same for what the service sends: a member that the schema does not have is a fault. */
export function closedValidatorIn(document: OpenApiDocument, ...steps: readonly string[]): ValidateFunction {
  return validatorOfPlace(document, steps, 'closed-');
}

function validatorOfPlace(
  document: OpenApiDocument,
  steps: readonly string[],
  prefix: '' | 'closed-',
): ValidateFunction {
  const name = prefix + (DOCUMENTS.find((one) => one.document === document)?.name ?? '');
  const pointer = followed(document, steps)
    .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const reference = `${name}#${encodeURI(pointer)}`;
  let validate = validators.get(reference);
  if (!validate) {
    validate = ajv.compile({ $ref: reference });
    validators.set(reference, validate);
  }
  return validate;
}

const validatorsOfSchemas = new WeakMap<Schema, ValidateFunction>();
/** Of 9,000 headers of responses, 20 differ. */
const validatorsOfTexts = new Map<string, ValidateFunction>();

/** The validator of a schema without references. */
export function validatorOf(schema: Schema): ValidateFunction {
  let validate = validatorsOfSchemas.get(schema);
  if (!validate) {
    validate = validatorsOfTexts.getOrInsertComputed(JSON.stringify(schema), () => ajv.compile(schema));
    validatorsOfSchemas.set(schema, validate);
  }
  return validate;
}

/** The errors of a validator, as one line. */
export function faultsOf(validate: ValidateFunction): string {
  return ajv.errorsText(validate.errors);
}
