/** The part of our OpenAPI documents that the documentation reads, with our extensions. */
export interface OpenApiDocument {
  info: { title: string; description: string };
  servers: { url: string; description?: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
  'x-error-codes': Record<string, { status: number; meaning: string }>;
  'x-limits': {
    description: string;
    plans?: Record<string, { perMinute: number | null; perDay: number | null }>;
  };
}

export interface Referable {
  $ref?: string;
}

export interface Parameter extends Referable {
  name?: string;
  in?: string;
  required?: boolean;
  example?: unknown;
  description?: string;
  schema?: Schema;
}

interface Schema extends Referable {
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
}

interface Content {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Response extends Referable {
  content?: Record<string, Content>;
  /** The codes that this response can have; without it, all codes of its status. */
  'x-error-codes'?: string[];
}

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[] | undefined;
  responses: Record<string, Response>;
  'x-scope'?: string;
  'x-role'?: string;
  'x-stability'?: string;
  'x-badges'?: { name: string }[];
  'x-codeSamples'?: CodeSample[];
}

export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** All operations in the order of the document. */
export function operationsOf(document: OpenApiDocument): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Resolves a reference to a component. Members beside the reference take precedence. */
export function resolve<T extends Referable>(components: Readonly<Record<string, T>>, value: T): T {
  const { $ref, ...own } = value;
  return $ref === undefined ? value : ({ ...components[$ref.slice($ref.lastIndexOf('/') + 1)], ...own } as T);
}
