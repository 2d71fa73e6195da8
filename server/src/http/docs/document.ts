/** The part of an OpenAPI 3.1 document that the reference page reads, with our extensions. */
export interface OpenApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
    readonly license?: { readonly name: string; readonly url?: string };
  };
  readonly servers?: readonly Server[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, PathItem>>;
  readonly security?: readonly SecurityRequirement[];
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
  /** Every code of the error body, with its HTTP status and perhaps what it means. */
  readonly 'x-error-codes'?: Readonly<Record<string, number | ErrorMeaning>>;
  readonly 'x-limits'?: {
    readonly description?: string;
    /** `null`: agreed with each account. */
    readonly plans: Readonly<
      Record<string, { readonly perMinute: number | null; readonly perDay: number | null }>
    >;
  };
}

export interface ErrorMeaning {
  readonly status: number;
  readonly meaning?: string;
}

interface Referable {
  readonly $ref?: string;
  readonly description?: string;
}

export interface Server {
  readonly url: string;
  readonly description?: string;
  readonly variables?: Readonly<Record<string, { readonly default: string | number | boolean }>>;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface SecurityScheme extends Referable {
  readonly type?: string;
  readonly scheme?: string;
  readonly bearerFormat?: string;
  readonly in?: string;
  readonly name?: string;
}

export interface Schema extends Referable {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Sample {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Referable & { readonly value?: unknown }>>;
}

export interface Header extends Referable, Sample {
  readonly required?: boolean;
  readonly deprecated?: boolean;
}

export interface Parameter extends Header {
  readonly name?: string;
  readonly in?: string;
}

export type Content = Readonly<Record<string, Sample>>;

export interface RequestBody extends Referable {
  readonly required?: boolean;
  readonly content?: Content;
}

export interface Response extends Referable {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
  /** The codes this response can carry; without it, all codes of its status. */
  readonly 'x-error-codes'?: readonly string[];
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, Response>>;
  readonly security?: readonly SecurityRequirement[];
  readonly servers?: readonly Server[];
  readonly deprecated?: boolean;
  readonly 'x-stability'?: string;
  /** The scope a key must have. */
  readonly 'x-scope'?: string;
  /** Headers of each response, errors included. */
  readonly 'x-response-headers'?: Readonly<Record<string, Header>>;
  /** The moment from which the operation answers 410, as an ISO 8601 date or a date and time. */
  readonly 'x-sunset'?: string;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

interface PathItem extends Partial<Readonly<Record<(typeof METHODS)[number], Operation>>> {
  readonly parameters?: readonly Parameter[];
  readonly servers?: readonly Server[];
}

/** An operation with what it inherits from its path and the document. */
export interface DocumentedOperation extends Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly group: string;
  readonly baseUrl: string;
}

const MAX_REFERENCE_CHAIN = 10;

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/**
 * Follows `#/…` references (RFC 6901 pointers). What leads nowhere is returned as it is. A description beside a
 * reference takes precedence (OpenAPI 3.1, Reference Object).
 */
export function resolve<T extends Referable>(document: OpenApiDocument, referable: T): T {
  let current = referable;
  for (let hop = 0; hop < MAX_REFERENCE_CHAIN && current.$ref?.startsWith('#/'); hop += 1) {
    const keys = current.$ref.slice(2).split('/');
    const target = keys
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(member, document);
    if (typeof target !== 'object' || target === null) break;
    const { description } = current;
    current = { ...(target as T), ...(description === undefined ? {} : { description }) };
  }
  return current;
}

/** The last word of a reference, such as `InventoryItem`. */
export function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function escapedName(name: string, unsafe: RegExp): string {
  return name.replace(unsafe, (character) => `.${character.charCodeAt(0).toString(16)}.`);
}

/** An anchor of this page. It holds a hyphen, and two different names never make the same one. */
export function anchor(kind: 'schema' | 'section' | 'tag', name: string): string {
  return `${kind}-${escapedName(name, /[^A-Za-z0-9_-]/g)}`;
}

/** An operation's anchor is its operationId, as links from elsewhere expect; it never holds a hyphen. */
function operationAnchor(operationId: string): string {
  return escapedName(operationId, /[^A-Za-z0-9_]/g);
}

/** A server's address with the defaults of its variables. */
export function serverUrl(server: Server | undefined): string {
  const url = (server?.url ?? '').replace(/\{([^}]*)\}/g, (whole, name: string) =>
    String(server?.variables?.[name]?.default ?? whole),
  );
  return url.replace(/\/+$/, '');
}

/** All operations in the document's order. */
export function listOperations(document: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = new Map(
        [...(item.parameters ?? []), ...(operation.parameters ?? [])]
          .map((parameter) => resolve(document, parameter))
          .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
      );
      return {
        ...operation,
        id: operationAnchor(operation.operationId ?? `${method} ${path}`),
        method: method.toUpperCase(),
        path,
        title: operation.summary ?? operation.operationId ?? `${method.toUpperCase()} ${path}`,
        group: operation.tags?.[0] ?? 'Operations',
        baseUrl: serverUrl((operation.servers ?? item.servers ?? document.servers)?.[0]),
        parameters: [...parameters.values()],
        security: operation.security ?? document.security ?? [],
      };
    }),
  );
}

/** The document's error codes, ascending by status. */
export function listErrorCodes(document: OpenApiDocument): (ErrorMeaning & { readonly code: string })[] {
  return Object.entries(document['x-error-codes'] ?? {})
    .map(([code, entry]) => ({ code, ...(typeof entry === 'number' ? { status: entry } : entry) }))
    .sort((a, b) => a.status - b.status);
}
