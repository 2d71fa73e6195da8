/** The part of our OpenAPI 3.1 document that the reference page reads, with our extensions. */
export interface OpenApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string };
  };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Partial<Readonly<Record<Method, Operation>>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    /** The only scheme: an API key as the bearer token. */
    readonly securitySchemes: { readonly apiKey: { readonly description: string } };
  };
  /** Every code of the error body. */
  readonly 'x-error-codes': Readonly<Record<string, { readonly status: number; readonly meaning: string }>>;
  readonly 'x-limits': {
    readonly description: string;
    /** `null`: agreed with each account. */
    readonly plans: Readonly<
      Record<string, { readonly perMinute: number | null; readonly perDay: number | null }>
    >;
  };
}

/** A component, or a reference to one. */
interface Referable {
  readonly $ref?: string;
  readonly description?: string;
}

export interface Server {
  readonly url: string;
  readonly description: string;
}

export interface Schema extends Referable {
  /** With `null` as the second of two types, or one type. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

export interface Header extends Referable {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Parameter extends Header {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Response extends Referable {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
  /** The codes this response can have; without it, all codes of its status. */
  readonly 'x-error-codes'?: readonly string[];
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  /** The scope that a key must have. */
  readonly 'x-scope'?: string;
  /** Headers of each response, errors included. */
  readonly 'x-response-headers'?: Readonly<Record<string, Header>>;
  /** The day from which the operation returns 410. */
  readonly 'x-sunset'?: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof METHODS)[number];

/** An operation with its method and path, and its references resolved. */
export interface DocumentedOperation extends Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By status, ascending. */
  readonly responses: Readonly<Record<string, Response>>;
}

/** Resolves a reference. A description next to a reference takes precedence (OpenAPI 3.1, Reference Object). */
export function resolve<T extends Referable>(components: Readonly<Record<string, T>>, referable: T): T {
  const { $ref, ...annotations } = referable;
  if ($ref === undefined) return referable;
  const target = components[referenceName($ref)];
  if (target === undefined) throw new Error(`The document has no ${$ref}.`);
  return { ...target, ...annotations };
}

/** The name of the component that a reference names, such as `InventoryItem`. */
export function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** An anchor of this page. It has a hyphen, unlike an operationId, which is the anchor of an operation. */
export function anchor(kind: 'schema' | 'section' | 'tag', name: string): string {
  return `${kind}-${name}`;
}

/** All operations in the document's order. */
export function listOperations({ paths, components }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = (operation.parameters ?? []).map((one) => resolve(components.parameters, one));
      const responses = Object.entries(operation.responses).map(([status, reference]) => {
        const response = resolve(components.responses, reference);
        return [
          status,
          { ...response, headers: { ...operation['x-response-headers'], ...response.headers } },
        ];
      });
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters,
        responses: Object.fromEntries(responses),
      };
    }),
  );
}

/** The document's error codes, ascending by status. */
export function listErrorCodes(document: OpenApiDocument) {
  return Object.entries(document['x-error-codes'])
    .map(([code, details]) => ({ code, ...details }))
    .sort((a, b) => a.status - b.status);
}
