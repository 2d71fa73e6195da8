import { ApiError, OperatorError, serviceUnavailable } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { component, type Reference, schemaAt } from '../openapi/components.ts';
import {
  BAD_ACTION_REQUEST,
  BAD_REQUEST,
  BAD_WRITE_REQUEST,
  type ErrorResponses,
  EVERY_OPERATION,
  NOT_ACCEPTABLE,
  NOT_FOUND,
  UNMATCHED,
} from '../openapi/error-responses.ts';
import { DEPRECATION_HEADERS, EVERY_RESPONSE, type Headers, NEXT_PAGE } from '../openapi/headers.ts';
import type {
  OperationHandler,
  OperationDefinition,
  OperationDescription,
} from '../request/bound-operation.ts';
import type { AnswerType } from '../request/content-negotiation.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type Access, type Grant, grantsOf } from './access.ts';
import type { Body } from './body.ts';
import { type Deprecation, SUNSET_ERRORS } from './deprecation.ts';
import type { Output } from './output.ts';
import { type None, type Parameters, parseQuery, readPath, readQuery, type ValuesOf } from './parameter.ts';

/** Headers of a request that the operation reads: what documents them also reads them. */
export interface RequestHeaders<H> {
  readonly documented: readonly Reference[];
  /** What a request with them may be refused with. 422 makes the operation a write, which takes an `Idempotency-Key`. */
  readonly errors: ErrorResponses;
  readonly read: (context: RequestContext) => H;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the document says about an operation, and what reads its requests and writes its responses. */
interface Described<P extends Parameters, Q extends Parameters, H, B, T> extends Pick<
  OperationDescription,
  'isCostly' | 'isFree' | 'produces'
> {
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
  /** Headers of each response, errors included. */
  readonly everyResponse?: Headers;
}

/** An operation. */
interface Declared<S, P extends Parameters, Q extends Parameters, H, B, T> extends Described<P, Q, H, B, T> {
  /** An `OperatorError` becomes a response with its code and message. */
  readonly handle: (services: S, call: Call<P, Q, H, B>) => MaybePromise<NoInfer<T>>;
}

/** What all operations of a resource have in common. */
interface Shared {
  /** The group of the operation in the document. */
  readonly tag: string;
  /** Without it, the operation is stable for clients, and `beta` in the management API. */
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
    return mounted<S>(shared, erased, (isManaged) => (services) => handlerOf(erased, services, isManaged));
  };
}

/** An operation that reads its requests and writes its responses itself, with the parts that document both. */
interface Handwritten<S> extends Shared, AnyDescribed {
  readonly create: (services: S & Mount) => OperationHandler;
}

/**
 * Defines an operation by hand, where the steps of the kernel would cost too much. It does the same for clients and for
 * managers: nothing of it may belong to an account.
 */
export function handwritten<S>({ create, ...described }: Handwritten<S>): Operation<S> {
  return mounted(described, described, () => create);
}

type AnyDescribed = Described<Parameters, Parameters, unknown, unknown, never>;
type Erased<S> = Declared<S, Parameters, Parameters, unknown, unknown, unknown>;

function mounted<S>(
  shared: Shared,
  described: AnyDescribed,
  createFor: (isManaged: boolean) => OperationDefinition<S & Mount>['create'],
): Operation<S> {
  requireConsistent(described);
  const { client, management } = grantsOf(described.access);
  return {
    client: client && { ...descriptionOf(shared, described, client), create: createFor(false) },
    management: management && {
      ...descriptionOf({ stability: 'beta', ...shared }, described, management),
      create: createFor(true),
    },
  };
}

/** Refuses a definition that no type refuses. Modules define operations while they load, so that every test notices. */
function requireConsistent({ id, at, path = {}, query = {}, output }: AnyDescribed): void {
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

/** Headers of a read that has an entity tag. */
const READ_HEADERS: readonly Reference[] = [
  component('parameters', 'IfNoneMatch', {
    name: 'If-None-Match',
    in: 'header',
    description: '`ETag`s of representations that the client has, or `*`.',
    schema: schemaAt('EntityTags'),
  }),
  component('parameters', 'IfMatch', {
    name: 'If-Match',
    in: 'header',
    description: '`ETag`s, or `*`: the response is 412 unless one matches.',
    schema: schemaAt('EntityTags'),
  }),
];

function descriptionOf(
  { tag, stability }: { readonly tag: string; readonly stability?: 'beta' | 'experimental' },
  described: AnyDescribed,
  { forbidden, ...grant }: Grant,
): OperationDescription {
  const { id, at, summary, description, path = {}, query = {}, headers, body, output } = described;
  const { isCostly, isFree, produces, deprecation, everyResponse } = described;
  const [method = '', template = ''] = at.split(' ');
  const parameters = [
    ...Object.entries(path).map(([name, one]) => one.documented('path', name)),
    ...Object.entries(query).map(([name, one]) => one.documented('query', name)),
    ...(output.isTagged ? READ_HEADERS : []),
    ...(headers?.documented ?? []),
  ];
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
      ...(everyResponse && { 'x-response-headers': everyResponse }),
      ...(body?.schema && { request: { body: requestBody(body) } }),
      responses: responsesOf(described, forbidden),
    } as OperationDescription['route'],
    ...grant,
    ...(isCostly && { isCostly }),
    ...(isFree && { isFree }),
    ...(produces && { produces }),
    ...(deprecation && { headers: deprecation.headers }),
  };
}

function requestBody({ schema, required, mediaTypes }: Body<unknown>): object {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  return required === undefined ? { content } : { required, content };
}

/** The responses of an operation: success, and each error that it can return. */
function responsesOf(described: AnyDescribed, forbidden: ErrorResponses): object {
  const { at, headers, body, output, missing, errors, deprecation, produces } = described;
  const { everyResponse = deprecation && DEPRECATION_HEADERS } = described;
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
    [output.status]: everyResponse ? withHeaders(output.documented, everyResponse) : output.documented,
    ...(isRead && { 304: notModifiedOf(output), ...UNMATCHED }),
    400: badRequest,
    ...EVERY_OPERATION,
    ...notAcceptable(produces),
    ...refusals,
  };
}

/** None where the query chooses the media type, because such an operation disregards `Accept`. */
function notAcceptable(produces: AnswerType | undefined): ErrorResponses {
  if (produces === undefined) return { 406: NOT_ACCEPTABLE };
  if (produces === '*/*') return {};
  return { 406: { ...NOT_ACCEPTABLE, description: `The client does not accept \`${produces}\`.` } };
}

function withHeaders(response: object, added: Headers): object {
  const { headers } = response as { readonly headers: Headers };
  return { ...response, headers: { ...headers, ...added } };
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
  { at, path = {}, query = {}, ignoresQuery = false, headers, body, output, deprecation, handle }: Erased<S>,
  services: S & Mount,
  isManaged: boolean,
): OperationHandler {
  const template = at.slice(at.indexOf('/'));
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

/** The response to the refusal of an action, with the same message. */
function refusalOf(error: OperatorError): ApiError {
  const { code, message, headers } = error;
  return code === 'service_unavailable'
    ? serviceUnavailable(message, error)
    : new ApiError(code, message, { headers, cause: error });
}
