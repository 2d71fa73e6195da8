import { readFileSync } from 'node:fs';
import { componentOf, type Schema } from '../../scripts/schema-types.ts';

interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface ResponseObject extends Content {
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly 'x-scope'?: string;
  readonly parameters?: readonly Reference[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Reference | ResponseObject>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
  readonly 'x-error-codes': Readonly<Record<string, { readonly meaning: string }>>;
}

/** One operation of the document, with its references resolved. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly scope: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly isBodyRequired: boolean;
  /** The schema of the success response; `undefined` for an empty one. */
  readonly result: Schema | undefined;
  readonly mediaType: string | undefined;
  /** Whether a `Link` header leads to the next page. */
  readonly isPaged: boolean;
}

const DOCUMENT = new URL('../../openapi.json', import.meta.url);

export function readDocument(): Document {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;
}

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(document, path, method, operation)),
  );
}

function readOperation(
  { components }: Document,
  path: string,
  method: string,
  operation: OperationObject,
): Operation {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const response = success && '$ref' in success ? components.responses[componentOf(success.$ref)] : success;
  const [mediaType, content] = Object.entries(response?.content ?? {})[0] ?? [];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    isDeprecated: operation.deprecated === true,
    scope: operation['x-scope'],
    parameters: (operation.parameters ?? []).map(
      ({ $ref }) => components.parameters[componentOf($ref)] as Parameter,
    ),
    body: operation.requestBody?.content?.['application/json']?.schema,
    isBodyRequired: operation.requestBody?.required === true,
    result: content?.schema,
    mediaType,
    isPaged: content?.schema.type === 'array' && response?.headers?.Link !== undefined,
  };
}
