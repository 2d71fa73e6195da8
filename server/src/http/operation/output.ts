import { z } from '@hono/zod-openapi';
import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { bigintAsDigits } from '../../domain/bigint-json.ts';
import type { Answer } from '../../listen/exchange.ts';
import { component, type Reference, schemaAt } from '../openapi/components.ts';
import { CACHE_CONTROL, CREATED_AT, EVERY_RESPONSE, type Headers, NEXT_PAGE } from '../openapi/headers.ts';
import { isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { Parameters } from './parameter.ts';

/** A type of values as responses show them: the schema of its JSON, and how to write it. */
export interface View<in T> {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly json: (value: T) => string;
}

/** The values from which JSON of a schema is written. */
type Shown<V> = V extends readonly (infer E)[]
  ? readonly Shown<E>[]
  : V extends object
    ? { readonly [K in keyof V]: Shown<V[K]> }
    : V;

type KeysOf<M> = M extends unknown ? keyof M : never;
/** Refuses members that the schema does not have, which TypeScript accepts in what a function returns. */
type NoOthers<M, V> = { readonly [K in Exclude<KeysOf<M>, keyof V>]: never };

/** Defines a view by the members of a value. The schema must not have a name yet. */
export function view<S extends z.ZodObject, T, M extends Shown<z.output<S>>>(
  name: string,
  schema: S,
  membersOf: (value: T) => M & NoOthers<M, z.output<S>>,
): View<T> & { readonly schema: S } {
  return textView(name, schema, (value: T) => JSON.stringify(membersOf(value), bigintAsDigits));
}

/** A schema without a name, for the members that a function writes. */
export function schemaOf<S extends z.ZodObject, T, M extends Shown<z.output<S>>>(
  schema: S,
  _membersOf: (value: T) => M & NoOthers<M, z.output<S>>,
): S {
  return schema;
}

/** Defines a view by a function that writes the JSON itself, because members would cost too much. */
export function textView<S extends z.ZodType, T>(
  name: string,
  schema: S,
  json: (value: T) => string,
): View<T> & { readonly schema: S } {
  return { name, schema: schema.openapi(name), json };
}

/** The request to which a response belongs. */
interface Answered {
  readonly context: RequestContext;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The path of the request below `baseUrl`, without the query. */
  readonly pathOf: () => string;
  /** The query as sent. */
  readonly sent: URLSearchParams;
  readonly query: Parameters;
}

/** Headers of a successful response: what documents them also sets them. */
export interface ResponseHeader<in T> {
  readonly documented: Headers;
  readonly of: (value: T, answered: Answered) => Readonly<Record<string, string>>;
  /** Whether it is the entity tag of a read: the kernel compares it with `If-None-Match`, and documents both preconditions. */
  readonly isTag?: boolean;
}

const REVALIDATED = { 'Cache-Control': 'private, no-cache' };

/** The client may store the response, and must revalidate it. Without this header no cache stores a response. */
export const revalidated: ResponseHeader<unknown> = { documented: CACHE_CONTROL, of: () => REVALIDATED };

/** The header of `revalidated` where the document does not name it. */
export const storable: ResponseHeader<unknown> = { documented: {}, of: () => REVALIDATED };

/** The entity tag of a read, which returns 304 to a client that has it. */
export function tagged<T>(tagOf: (value: T) => string, documented: Headers): ResponseHeader<T> {
  return {
    documented: { ...documented, ...CACHE_CONTROL },
    of: (value) => ({ ETag: tagOf(value), ...REVALIDATED }),
    isTag: true,
  };
}

/** The address of what was made. @param pathOf Its path below the base address. */
export function located<T>(
  pathOf: (value: T) => string,
  documented: Headers = CREATED_AT,
): ResponseHeader<T> {
  return { documented, of: (value, { baseUrl }) => ({ Location: baseUrl + pathOf(value) }) };
}

/** A part of a list, and the parameters of the query that lead to the next part; `undefined` on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: Readonly<Record<string, unknown>> | undefined;
}

/** The page of items that were read with `oneMore`. */
export function pageOf<T>(items: readonly T[], limit: number, cursorOf: (item: T) => unknown): Page<T> {
  if (items.length <= limit) return { items };
  const shown = items.slice(0, limit);
  return { items: shown, next: { cursor: cursorOf(shown[limit - 1] as T) } };
}

/** The link to the next page: the query as sent, with the parameters that lead there. */
export const linked: ResponseHeader<Pick<Page<unknown>, 'next'>> = {
  documented: NEXT_PAGE,
  of: ({ next }, { baseUrl, pathOf, sent, query }) => {
    if (next === undefined) return {};
    for (const [name, value] of Object.entries(next)) {
      const parameter = query[name];
      if (!parameter) throw new Error(`${pathOf()} has no parameter ${name} for its next page.`);
      sent.set(name, parameter.print(value));
    }
    return { Link: `<${baseUrl}${pathOf()}?${sent}>; rel="next"` };
  },
};

/** The successful response of an operation: what documents it also writes it. */
export interface Output<in T> {
  readonly status: 200 | 201 | 202 | 204;
  readonly documented: Reference | object;
  readonly headers: Headers;
  /** The component of the 304 of a read, if its headers are not those of all reads. */
  readonly notModified: string | undefined;
  readonly isTagged: boolean;
  readonly isPage: boolean;
  readonly answer: (value: T, answered: Answered) => Answer;
}

interface OutputFacts<in T> {
  readonly description: string;
  readonly status?: 200 | 201 | 202;
  /** The name of its component, if operations share the response. */
  readonly response?: string;
  readonly notModified?: string;
  readonly headers?: readonly ResponseHeader<T>[];
}

interface ListFacts<in T> extends OutputFacts<T> {
  /** `null`: the document has no limit. */
  readonly maxItems?: number | null;
}

/** One value. */
export function one<T>({ name, schema, json }: View<T>, facts: OutputFacts<T>): Output<T> {
  const shown = facts.response === undefined ? schema : schemaAt(name);
  return output<T>(shown, facts, json);
}

/** All values of a collection. */
export function list<T>(shown: View<T>, facts: ListFacts<readonly T[]>): Output<readonly T[]> {
  return output<readonly T[]>(arrayOf(shown, facts), facts, (items) => arrayJson(shown, items));
}

/** A page of a collection, with the link to the next one. `P`: with what its own headers are made of. */
export function page<T, P extends Page<T> = Page<T>>(shown: View<T>, facts: ListFacts<P>): Output<P> {
  const headers = [linked, ...(facts.headers ?? [])];
  const json = ({ items }: P) => arrayJson(shown, items);
  return { ...output<P>(arrayOf(shown, facts), { ...facts, headers }, json), isPage: true };
}

function arrayOf({ name, schema }: View<never>, { response, maxItems = MAX_PAGE_ITEMS }: ListFacts<never>) {
  const most = maxItems === null ? {} : { maxItems };
  if (response !== undefined) return { type: 'array', items: schemaAt(name), ...most };
  return z.array(schema).openapi(most);
}

function arrayJson<T>({ json }: View<T>, items: readonly T[]): string {
  return `[${items.map(json).join(',')}]`;
}

function output<T>(
  schema: object,
  { headers = [], ...facts }: OutputFacts<T>,
  json: (value: T) => string,
): Output<T> {
  const documented: Headers = Object.assign({}, ...headers.map((one) => one.documented));
  const isTagged = headers.some(({ isTag }) => isTag);
  const { status = 200 } = facts;
  const answer: Output<T>['answer'] = (value, answered) => {
    const { context } = answered;
    const own: Record<string, string> = { 'Cache-Control': 'no-store' };
    for (const one of headers) Object.assign(own, one.of(value, answered));
    const held = isTagged ? context.header('if-none-match') : null;
    if (held !== null && isNoneMatchMet(held, own.ETag ?? '')) return context.respond(304, null, own);
    own['Content-Type'] = JSON_TYPE;
    return context.respond(status, json(value), own);
  };
  return {
    ...described({ ...facts, headers: documented, content: { [JSON_TYPE]: { schema } } }, answer),
    isTagged,
  };
}

/** No content. @param response The name of its component. @param header From the result of `handle`. */
export function nothing<T = void>(
  description: string,
  response: string,
  header?: ResponseHeader<T>,
): Output<T> {
  const none: Output<T>['answer'] = (value, answered) =>
    answered.context.respond(204, null, { ...header?.of(value, answered) });
  return { ...described({ description, response, headers: header?.documented ?? {} }, none), status: 204 };
}

interface AnsweredFacts extends Omit<OutputFacts<unknown>, 'headers'> {
  /** A zod schema; with `response`, a reference to one. */
  readonly schema: object;
  /** JSON by default. */
  readonly mediaTypes?: readonly string[];
  readonly headers?: Headers;
  /** Whether it has an entity tag, which the handler compares. */
  readonly isTagged?: boolean;
}

/** A response that `handle` writes itself, such as a stream. */
export function answered({
  schema,
  mediaTypes = [JSON_TYPE],
  headers = {},
  isTagged = false,
  ...facts
}: AnsweredFacts): Output<Answer> {
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
  return { ...described({ ...facts, headers, content }, (answer) => answer), isTagged };
}

/** A response in the document: one of the operation, or a component that operations share. */
function described<T>(
  {
    headers,
    content,
    status = 200,
    response,
    notModified,
    description,
  }: Omit<OutputFacts<never>, 'headers'> & {
    readonly headers: Headers;
    readonly content?: Readonly<Record<string, { readonly schema: object }>>;
  },
  answer: Output<T>['answer'],
): Output<T> {
  const object = {
    description,
    headers: { ...EVERY_RESPONSE, ...headers },
    ...(content && { content }),
  };
  const documented = response === undefined ? object : component('responses', response, object);
  return { status, documented, headers, notModified, isTagged: false, isPage: false, answer };
}
