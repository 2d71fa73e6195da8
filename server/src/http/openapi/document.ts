import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.ts';
import type { OperationDescription } from '../request/bound-operation.ts';
import { ErrorSchema } from '../schemas/error.ts';
import { EntityTagsSchema, MovementOrderSchema, WholeNumberSchema } from '../schemas/values.ts';
import { components } from './components.ts';
import { ERROR_MEANINGS } from './error-descriptions.ts';
import { INTERFACE_VERSION } from './headers.ts';

export interface DocumentServers {
  readonly production: string;
  /** Empty: the document has no staging server. */
  readonly staging: string;
}

/** What documents of different interfaces do not have in common. */
export interface DocumentFacts {
  readonly title: string;
  readonly description: string;
  /** What to send as the bearer token. */
  readonly credential: string;
  /** What to send as a cookie instead. */
  readonly cookie?: { readonly name: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** The limits of callers, for `x-limits`. */
  readonly limits: object;
  /** The requests that the service sends. */
  readonly webhooks?: readonly RouteConfig[];
}

/** Only the interface with sessions, which is that of management, returns these. */
const MANAGEMENT_CODES: readonly string[] = [
  'session_ended',
  'cross_site_request',
  'insecure_connection',
  'code_in_use',
] satisfies ErrorCode[];

function errorCodes(isOfManagement: boolean): object {
  const codes = Object.entries(ERROR_STATUS).filter(
    ([code]) => isOfManagement || !MANAGEMENT_CODES.includes(code),
  );
  return Object.fromEntries(
    codes.map(([code, status]) => [code, { status, meaning: ERROR_MEANINGS[code as ErrorCode] }]),
  );
}

/** Only components refer to these, or refer to them with a description of their own. */
const SHARED = {
  Error: ErrorSchema,
  MovementOrder: MovementOrderSchema,
  WholeNumber: WholeNumberSchema,
  EntityTags: EntityTagsSchema,
};

/** An OpenAPI 3.1 document, generated from operations. It has the components that they use. */
export function makeDocument(operations: readonly OperationDescription[], facts: DocumentFacts): object {
  const { openAPIRegistry: registry, ...app } = new OpenAPIHono();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: facts.credential,
  });
  if (facts.cookie) {
    registry.registerComponent('securitySchemes', 'sessionCookie', {
      type: 'apiKey',
      in: 'cookie',
      ...facts.cookie,
    });
  }
  for (const { kind, name, definition } of components()) {
    registry.registerComponent(kind, name, definition as Parameters<typeof registry.registerComponent>[2]);
  }
  for (const [name, schema] of Object.entries(SHARED)) registry.register(name, schema);
  for (const { route, scope, role, isCostly, isOpen } of operations) {
    registry.registerPath({
      ...route,
      ...(isOpen && { security: [] }),
      ...(scope && { 'x-scope': scope }),
      ...(role && { 'x-role': role }),
      ...(role && isCostly && { 'x-costly': true }),
    });
  }
  const document = app.getOpenAPI31Document({
    openapi: '3.1.1',
    info: {
      title: facts.title,
      version: '1.0.0',
      description: facts.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [...facts.servers],
    security: [{ apiKey: [] }, ...(facts.cookie ? [{ sessionCookie: [] }] : [])],
    tags: [...facts.tags],
    'x-error-codes': errorCodes(facts.cookie !== undefined),
    'x-limits': facts.limits,
    'x-response-headers': INTERFACE_VERSION,
  } as Parameters<typeof app.getOpenAPI31Document>[0]);
  return withUsedComponents({
    ...document,
    webhooks: simplified(sentRequests(facts.webhooks ?? [])) as object,
    components: simplified(document.components) as Components,
  });
}

/**
 * The requests that the service sends. Their own registry leaves the components of the operations as they are: the generator reads
 * webhooks first, and makes a component of a schema from its first use.
 */
function sentRequests(routes: readonly RouteConfig[]): object {
  const { openAPIRegistry: registry, ...app } = new OpenAPIHono();
  for (const [name, schema] of Object.entries(SHARED)) registry.register(name, schema);
  for (const route of routes) registry.registerPath(route);
  const info = { title: '', version: '' };
  const { paths = {} } = app.getOpenAPI31Document({ openapi: '3.1.1', info });
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path.slice('/'.length), item]));
}

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** In this order, because that of the generator depends on which modules load first. */
const KINDS = ['securitySchemes', 'headers', 'parameters', 'responses', 'schemas'];

/** The document without the components that only operations of another document use. */
function withUsedComponents<T extends { readonly components: Components }>(document: T): T {
  const { components: all, ...rest } = document;
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      const [, , kind = '', name = ''] = $ref.split('/');
      follow(all[kind]?.[name]);
    }
    for (const one of Object.values(value)) follow(one);
  };
  follow(rest);
  const kept = KINDS.map((kind) => {
    const isKept = (name: string) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(all[kind] ?? {}).filter(([name]) => isKept(name)))];
  });
  return { ...document, components: Object.fromEntries(kept) as Components };
}

/**
 * Rewrites two habits of the generator. A union becomes `oneOf`, because the members of ours exclude each other; a
 * reference with a description of its own becomes one schema, which JSON Schema 2020-12 allows, without `allOf`.
 */
function simplified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplified);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, anyOf, ...members } = value as Record<string, unknown>;
  const rest = Object.fromEntries(Object.entries(members).map(([key, one]) => [key, simplified(one)]));
  if (Array.isArray(allOf)) return annotated(allOf);
  return anyOf === undefined ? rest : { oneOf: simplified(anyOf), ...rest };
}

const ANNOTATIONS = ['description', 'example', 'default'];

/** A reference with annotations. Anything else that a reference is combined with would be lost by generators. */
function annotated([reference, annotations]: readonly object[]): object {
  const others = Object.keys(annotations ?? {}).filter((key) => !ANNOTATIONS.includes(key));
  if (others.length > 0) throw new Error(`A schema combines a reference with ${others.join(', ')}.`);
  return { ...reference, ...annotations };
}
