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
  readonly 'x-role'?: string;
  readonly 'x-costly'?: boolean;
  readonly parameters?: readonly Reference[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Reference | ResponseObject>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** The requests that the service sends. */
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>;
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
  readonly role: string | undefined;
  /** Whether it has a limit of its own. */
  readonly isCostly: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly isBodyRequired: boolean;
  /** Whether the body is a file, in one of several types. */
  readonly isFileSent: boolean;
  /** The schema of the success response; `undefined` for an empty one. */
  readonly result: Schema | undefined;
  readonly mediaType: string | undefined;
  /** Whether a `Link` header leads to the next page. */
  readonly isPaged: boolean;
}

/** A document of the repository, by its file. */
export function readDocument(name: string): Document {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as Document;
}

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(document, path, method, operation)),
  );
}

/** The schema of the `data` of each event. */
export function eventsOf({ webhooks }: Document): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => {
      const message = post.requestBody?.content?.['application/json']?.schema;
      return [type, message?.properties?.data ?? {}];
    }),
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
    role: operation['x-role'],
    isCostly: operation['x-costly'] === true,
    parameters: (operation.parameters ?? []).map(
      ({ $ref }) => components.parameters[componentOf($ref)] as Parameter,
    ),
    body: operation.requestBody?.content?.['application/json']?.schema,
    isBodyRequired: operation.requestBody?.required === true,
    isFileSent: operation.requestBody?.content?.['text/csv'] !== undefined,
    result: content?.schema,
    mediaType,
    isPaged: content?.schema.type === 'array' && response?.headers?.Link !== undefined,
  };
}
