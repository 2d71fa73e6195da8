import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { ROLE_SCOPES, type Scope } from '../../domain/access/api-key.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { component, type Reference } from '../openapi/components.ts';
import {
  BAD_ACTION_REQUEST,
  BAD_REQUEST,
  BAD_WRITE_REQUEST,
  type ErrorResponses,
  EVERY_OPERATION,
  FORBIDDEN,
  NOT_FOUND,
  ROLE_FORBIDDEN,
  UNMATCHED,
} from '../openapi/error-responses.ts';
import { DEPRECATION_HEADERS, EVERY_RESPONSE, type Headers, NEXT_PAGE } from '../openapi/headers.ts';
import { READ_HEADERS } from '../openapi/parameters.ts';
import type { Handler, OperationDefinition, OperationDescription } from '../request/operation.ts';
import { refusalOf } from '../request/operator-refusal.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { Body } from './body.ts';
import { type Deprecation, SUNSET_ERRORS } from './deprecation.ts';
import type { Output } from './output.ts';
import { type None, type Parameters, parseQuery, readPath, readQuery, type ValuesOf } from './parameter.ts';

/** Who may call an operation, and so the interfaces that have it. */
export type Access =
  /** Anybody, in the management API: the sign-in. */
  | 'open'
  /** Each key of a client. */
  | 'any-key'
  /**
   * Keys of clients with the scope. In the management API, keys with the role: without one, the lowest that has the scope;
   * `null`: the management API does not have the operation.
   */
  | { readonly scope: Scope; readonly role?: Role | null }
  /** Management keys with the role. */
  | { readonly scope?: never; readonly role: Role };

/** Headers of a request that the operation reads: what documents them also reads them. */
export interface RequestHeaders<H> {
  readonly documented: readonly Reference[];
  /** What a request with them may be refused with. 422 makes the operation a write, which takes an `Idempotency-Key`. */
  readonly errors: ErrorResponses;
  readonly read: (context: RequestContext) => H;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An operation. */
export interface Declared<S, P extends Parameters, Q extends Parameters, H, B, T>
  extends Pick<OperationDescription, 'isCostly' | 'isFree' | 'produces'> {
  readonly id: string;
  readonly at: `${Method} /${string}`;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** The parameters of the path, with the names in `at`. */
  readonly path?: P;
  /** The parameters of the query, in the order of the document. Others are refused. */
  readonly query?: Q;
  /** Whether unknown parameters of the query are ignored: so in version 1, before queries were read. */
  readonly ignoresQuery?: boolean;
  readonly headers?: RequestHeaders<H>;
  readonly body?: Body<B>;
  readonly output: Output<T>;
  /** What the path names, such as `account`: documents the 404. */
  readonly missing?: string;
  /** Errors that nothing else here implies. */
  readonly errors?: ErrorResponses;
  readonly deprecation?: Deprecation;
  /** An `OperatorError` becomes a response with its code and message. */
  readonly handle: (services: S, call: Call<P, Q, H, B>) => MaybePromise<NoInfer<T>>;
}

/** What all operations of a resource have in common. */
interface Shared {
  /** The group of the operation in the document. */
  readonly tag: string;
  readonly stability?: 'beta' | 'experimental';
}

/** The values of a request, read and checked. */
export class Call<P extends Parameters = None, Q extends Parameters = None, H = undefined, B = undefined> {
  readonly path: ValuesOf<P>;
  readonly query: ValuesOf<Q>;
  readonly headers: H;
  readonly body: B;
  readonly context: RequestContext;
  readonly #isManaged: boolean;

  constructor(
    context: RequestContext,
    isManaged: boolean,
    read: {
      readonly path: ValuesOf<P>;
      readonly query: ValuesOf<Q>;
      readonly headers: H;
      readonly body: B;
    },
  ) {
    this.context = context;
    this.#isManaged = isManaged;
    this.path = read.path;
    this.query = read.query;
    this.headers = read.headers;
    this.body = read.body;
  }

  /** The author of an action, for the activity log. */
  get author(): ActionAuthor {
    const { principal, requestId } = this.context;
    if (!principal) throw new Error('An action needs a key.');
    return { actor: principal.key.id, requestId };
  }

  /** The account whose resources the request may use; `undefined` in the management API: those of all accounts. */
  get accountId(): string | undefined {
    if (this.#isManaged) return undefined;
    const { principal } = this.context;
    if (!principal) throw new Error('A request of a client needs a key.');
    return principal.account.id;
  }
}

/** What the kernel needs besides the services of a resource. */
interface Mount {
  /** The address of the interface, without a slash at its end. */
  readonly baseUrl: string;
}

/** An operation with its form in each interface; `undefined`: the interface does not have it. */
export interface Operation<S> {
  readonly client: OperationDefinition<S & Mount> | undefined;
  readonly management: OperationDefinition<S & Mount> | undefined;
}

/** Begins the definitions of a resource, whose handlers get services of type `S`. */
export function operationsWith<S>(shared: Shared) {
  return <T, P extends Parameters = None, Q extends Parameters = None, H = undefined, B = undefined>(
    declared: Declared<S, P, Q, H, B, T>,
  ): Operation<S> => {
    // The kernel reads what the types promise, and hands it on as it is.
    const erased = declared as unknown as Erased<S>;
    requireConsistent(erased);
    const { client, management } = grantsOf(declared.access);
    return {
      client: client && definitionOf(shared, erased, client, false),
      management: management && definitionOf(shared, erased, management, true),
    };
  };
}

/** An operation written by hand, which does the same for clients and for managers: nothing of it belongs to an account. */
export function handwritten<S>(definition: OperationDefinition<S>): Operation<S> {
  const role = definition.scope === null ? undefined : lowestRole(definition.scope);
  return { client: definition, management: role && { ...definition, scope: null, role } };
}

type Erased<S> = Declared<S, Parameters, Parameters, unknown, unknown, unknown>;

/** What an interface requires of a key, and how it documents the refusal of others. */
interface Grant extends Pick<OperationDescription, 'scope' | 'role' | 'isOpen'> {
  readonly forbidden: ErrorResponses;
}

function grantsOf(access: Access): {
  readonly client?: Grant | undefined;
  readonly management?: Grant | undefined;
} {
  if (access === 'open') return { management: { scope: null, isOpen: true, forbidden: {} } };
  if (access === 'any-key') return { client: { scope: null, forbidden: {} } };
  const { scope, role } = access;
  if (scope === undefined) return { management: { scope: null, role, forbidden: ROLE_FORBIDDEN } };
  const client = { scope, forbidden: FORBIDDEN };
  if (role === null) return { client };
  if (role !== undefined) return { client, management: { scope: null, role, forbidden: ROLE_FORBIDDEN } };
  const lowest = lowestRole(scope);
  return { client, management: lowest && { scope: null, role: lowest, forbidden: FORBIDDEN } };
}

function lowestRole(scope: Scope): Role | undefined {
  return ROLES.find((role) => ROLE_SCOPES[role].includes(scope));
}

/** Refuses a definition that no type refuses. Modules define operations while they load, so that every test notices. */
function requireConsistent({ id, at, path = {}, query = {}, output }: Erased<never>): void {
  const fault = (text: string) => new Error(`The operation ${id} ${text}.`);
  const named = [...at.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join();
  if (named !== Object.keys(path).join())
    throw fault(`must read exactly the parameters of ${at} from its path`);
  if (output.isPage && !('limit' in query)) throw fault('returns pages, so its query must have a limit');
  const isRead = at.startsWith('GET ');
  if (output.isTagged && !isRead) throw fault('compares a tag, so it must be a read');
  const names = Object.keys(output.headers).join();
  if (isRead && names !== '' && names !== 'Link' && output.notModified === undefined) {
    throw fault('must name the component of its 304, which has the headers of its 200');
  }
}

function definitionOf<S>(
  { tag, stability }: Shared,
  declared: Erased<S>,
  { forbidden, ...grant }: Grant,
  isManaged: boolean,
): OperationDefinition<S & Mount> {
  const {
    id,
    at,
    summary,
    description,
    path = {},
    query = {},
    headers,
    body,
    output,
    deprecation,
  } = declared;
  const [method = '', template = ''] = at.split(' ');
  const parameters = [
    ...Object.entries(path).map(([name, one]) => one.documented('path', name)),
    ...Object.entries(query).map(([name, one]) => one.documented('query', name)),
    ...(output.isTagged ? READ_HEADERS : []),
    ...(headers?.documented ?? []),
  ];
  const { isCostly, isFree, produces } = declared;
  return {
    route: {
      operationId: id,
      method: method.toLowerCase() as Lowercase<Method>,
      path: template,
      tags: [tag],
      summary,
      description,
      ...(stability && { 'x-stability': stability }),
      ...deprecation?.documented,
      ...(parameters.length > 0 && { parameters }),
      ...(body?.schema && { request: { body: requestBody(body) } }),
      responses: responsesOf(declared, forbidden),
    } as OperationDescription['route'],
    ...grant,
    ...(isCostly && { isCostly }),
    ...(isFree && { isFree }),
    ...(produces && { produces }),
    ...(deprecation && { headers: deprecation.headers }),
    create: (services) => handlerOf(declared, template, services, isManaged),
  };
}

function requestBody({ schema, required, mediaTypes }: Body<unknown>): object {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  return required === undefined ? { content } : { required, content };
}

/** The responses of an operation: success, and each error that it can return. */
function responsesOf(declared: Erased<never>, forbidden: ErrorResponses): object {
  const { at, headers, body, output, missing, errors, deprecation } = declared;
  const isRead = at.startsWith('GET ');
  const refusals: ErrorResponses = {
    ...headers?.errors,
    ...body?.errors,
    ...(missing !== undefined && { 404: { ...NOT_FOUND, description: `There is no such ${missing}.` } }),
    ...errors,
    ...(deprecation && SUNSET_ERRORS),
    ...forbidden,
  };
  const badRequest = isRead ? BAD_REQUEST : refusals[422] ? BAD_WRITE_REQUEST : BAD_ACTION_REQUEST;
  return {
    [output.status]: deprecation ? withSunset(output.documented) : output.documented,
    ...(isRead && { 304: notModifiedOf(output), ...UNMATCHED }),
    400: badRequest,
    ...EVERY_OPERATION,
    ...refusals,
  };
}

function withSunset(response: object): object {
  const { headers } = response as { readonly headers: Headers };
  return { ...response, headers: { ...headers, ...DEPRECATION_HEADERS } };
}

/** The 304 of a read: the headers of its 200, and no body (RFC 9110 section 15.4.5). */
function notModifiedOf({ notModified, headers }: Output<never>): Reference {
  const { 'Content-Disposition': _ofContent, ...kept } = headers;
  if (notModified !== undefined) return unchanged(notModified, kept);
  return 'Link' in headers ? unchanged('PageNotModified', NEXT_PAGE) : unchanged('NotModified', {});
}

function unchanged(name: string, headers: Headers): Reference {
  return component('responses', name, {
    description: 'The client has these bytes already.',
    headers: { ...EVERY_RESPONSE, ...headers },
  });
}

/** Reads the request, calls `handle`, and writes its result. */
function handlerOf<S>(
  { path = {}, query = {}, ignoresQuery = false, headers, body, output, deprecation, handle }: Erased<S>,
  template: string,
  services: S & Mount,
  isManaged: boolean,
): Handler {
  return async (context, parameter) => {
    try {
      deprecation?.requireBefore(context);
      const sent = parseQuery(ignoresQuery ? '' : context.query, query);
      const call = new Call<Parameters, Parameters, unknown, unknown>(context, isManaged, {
        path: readPath(path, parameter),
        query: readQuery(query, sent),
        headers: headers?.read(context),
        body: body && (await body.read(context)),
      });
      const value = await handle(services, call);
      const pathOf = () =>
        template.replaceAll(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(parameter(name)));
      return output.answer(value, { context, baseUrl: services.baseUrl, pathOf, sent, query });
    } catch (error) {
      throw error instanceof OperatorError ? refusalOf(error) : error;
    }
  };
}
