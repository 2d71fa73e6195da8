import { isDeepStrictEqual } from 'node:util';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import {
  type DocumentedOperation,
  type OpenApiDocument,
  operationsIn,
  type ParameterObject,
  type ResponseObject,
  resolved,
  type Schema,
} from '../support/openapi-document.ts';

/** A document, and the compared part of it. */
interface Side<T> {
  readonly document: OpenApiDocument;
  readonly part: T;
}

/** An incompatible change, as a sentence. */
export interface Break {
  readonly sentence: string;
  /** `undefined`: of the whole interface. */
  readonly operationId: string | undefined;
  /** What the old document promises. */
  readonly level: 'stable' | 'beta' | 'experimental';
  /** Whether a request that worked may be refused; otherwise a response differs, or all of the operation. */
  readonly isOfRequest: boolean;
}

/** A change that the documentation announces. */
export interface Announcement {
  /** Of the form 2026-11-23. */
  readonly date: string;
  readonly operations: readonly string[];
}

/** The incompatible changes that a document must not have after a released one. */
export function brokenPromises(
  before: OpenApiDocument,
  after: OpenApiDocument,
  announcements: readonly Announcement[],
): string[] {
  return forbidden(breakingChanges(before, after), before, announcements);
}

/**
 * The changes after a release that break a promise. Stable operations keep everything, and experimental ones all but the
 * shape of their requests. Every other break must be announced after the release.
 */
export function forbidden(
  breaks: readonly Break[],
  release: OpenApiDocument,
  announcements: readonly Announcement[],
): string[] {
  const released = interfaceDate(release);
  const announced = new Set(
    announcements.filter(({ date }) => date > released).flatMap(({ operations }) => operations),
  );
  return breaks
    .filter(({ level, isOfRequest, operationId }) => {
      const mayChange = level === 'beta' || (level === 'experimental' && isOfRequest);
      return !mayChange || operationId === undefined || !announced.has(operationId);
    })
    .map(({ sentence }) => sentence);
}

/** The value of `Petstore-Version` that a document describes. */
export function interfaceDate(document: OpenApiDocument): string {
  const header = document['x-response-headers']?.['Petstore-Version'];
  return String(header && resolved(document, header).example);
}

/**
 * The incompatible changes of a new document for clients of an old one: a removed operation, response field, error code or
 * allowed input, a new required input, a narrower limit, or a value of another type. Additions that a client may ignore
 * are compatible.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): Break[] {
  const kept = new Map(operationsIn(after).map((documented) => [placeOf(documented), documented]));
  const ofOperations = operationsIn(before).flatMap((old): Break[] => {
    const place = placeOf(old);
    const now = kept.get(place);
    const { operationId } = old.operation;
    const level = levelOf(old.operation);
    const breakOf = (sentence: string) => {
      return { sentence, operationId, level, isOfRequest: sentence.startsWith(`${place}: `) };
    };
    if (!now) return [breakOf(`${place} is gone`)];
    const sides = [
      { document: before, part: old.operation },
      { document: after, part: now.operation },
    ] as const;
    return [...new Set(operationBreaks(place, ...sides))].map(breakOf);
  });
  const ofAll = [
    ...serverBreaks(before, after),
    ...versionBreaks(before, after),
    ...schemeBreaks(before, after),
    ...errorCodeBreaks(before, after),
    ...limitBreaks(before, after),
    ...eventBreaks(before, after),
  ].map((sentence) => ({ sentence, operationId: undefined, level: 'stable', isOfRequest: false }) as const);
  return [...ofAll, ...ofOperations];
}

function levelOf({ 'x-stability': stability }: Operation): Break['level'] {
  return stability === 'beta' || stability === 'experimental' ? stability : 'stable';
}

function errorCodeBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const now = after['x-error-codes'] ?? {};
  return Object.entries(before['x-error-codes'] ?? {}).flatMap(([code, { status }]) => {
    if (!now[code]) return [`the error code ${code} is gone`];
    return now[code].status === status
      ? []
      : [`the error code ${code} has the status ${now[code].status} now`];
  });
}

/** Each number of the limits may only grow. */
function limitBreaks(before: unknown, after: unknown, path = 'x-limits'): string[] {
  const own = (side: unknown) => (path === 'x-limits' ? (side as Record<string, unknown>)[path] : side);
  const [old, now] = [own(before), own(after)];
  if (typeof old === 'number') return typeof now === 'number' && now >= old ? [] : [`${path} is lower now`];
  if (old === null) return now === null ? [] : [`${path} is a limit now`];
  if (typeof old !== 'object') return [];
  return Object.entries(old).flatMap(([name, value]) =>
    limitBreaks(value, (now as Record<string, unknown> | undefined)?.[name], `${path} ${name}`),
  );
}

/** A receiver of each event must be able to read what it read. */
function eventBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before.webhooks ?? {}).flatMap(([type, item]) => {
    const kept = after.webhooks?.[type];
    if (!kept) return [`the event ${type} is gone`];
    const [old, now] = [item, kept].map(({ post }) => post?.requestBody?.content['application/json']?.schema);
    const headersIn = (document: OpenApiDocument, { post }: typeof item) =>
      (post?.parameters ?? []).map((parameter) => resolved(document, parameter).name);
    const sent = headersIn(after, kept);
    const lost = headersIn(before, item).filter((name) => !sent.includes(name));
    return [
      ...lost.map((header) => `the event ${type} no longer has the header ${header}`),
      ...(old && now
        ? outputBreaks(`the event ${type}: body`, sideOf(before, old), sideOf(after, now))
        : [`the event ${type} has no message any more`]),
    ];
  });
}

/** Hosts are the operator's choice; the path holds the version. */
function serverBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const pathsOf = ({ servers }: OpenApiDocument) => servers.map(({ url }) => new URL(url).pathname);
  const now = pathsOf(after);
  return pathsOf(before).flatMap((path, i) =>
    now[i] === path ? [] : [`server ${i} is no longer at ${path}`],
  );
}

function versionBreaks({ info: before }: OpenApiDocument, { info: after }: OpenApiDocument): string[] {
  const isLower = after.version.localeCompare(before.version, 'en', { numeric: true }) < 0;
  return isLower ? [`the version ${after.version} is lower than ${before.version}`] : [];
}

function schemeBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const now = schemesOf(after);
  return Object.entries(schemesOf(before)).flatMap(([name, scheme]) => {
    const kept = now[name];
    if (!kept) return [`the security scheme ${name} is gone`];
    const described = { ...scheme, description: kept.description };
    const isSame = isDeepStrictEqual(described, { description: undefined, ...kept });
    return isSame ? [] : [`the security scheme ${name} is another one now`];
  });
}

function schemesOf({ components }: OpenApiDocument): Readonly<Record<string, Record<string, unknown>>> {
  const { securitySchemes = {} } = components as {
    securitySchemes?: Record<string, Record<string, unknown>>;
  };
  return securitySchemes;
}

function placeOf({ method, path }: DocumentedOperation): string {
  return `${method} ${path}`;
}

type Operation = DocumentedOperation['operation'];

function operationBreaks(place: string, before: Side<Operation>, after: Side<Operation>): string[] {
  const isRenamed = before.part.operationId !== after.part.operationId;
  return [
    ...(isRenamed ? [`${place} is called ${after.part.operationId} now`] : []),
    ...levelBreaks(place, before.part, after.part),
    ...sunsetBreaks(place, before, after),
    ...('servers' in after.part ? [`${place} has servers of its own now`] : []),
    ...accessBreaks(place, before.part, after.part),
    ...securityBreaks(place, before.part, after.part),
    ...parameterBreaks(place, before, after),
    ...requestBodyBreaks(place, before, after),
    ...Object.keys(before.part.responses).flatMap((status) =>
      responseBreaks(`${place} ${status}`, status, before, after),
    ),
  ];
}

const LEVELS = ['experimental', 'beta', 'stable'] as const;

/** A promise may only grow. */
function levelBreaks(place: string, before: Operation, after: Operation): string[] {
  const [old, now] = [levelOf(before), levelOf(after)];
  const named = after['x-stability'];
  if (named !== undefined && named !== now)
    return [`${place} has the level ${named} now, which promises nothing`];
  return LEVELS.indexOf(now) < LEVELS.indexOf(old) ? [`${place} is only ${now} now`] : [];
}

/** An operation ends no earlier than was said, and at least a year after the entry that says so. */
function sunsetBreaks(place: string, before: Side<Operation>, after: Side<Operation>): string[] {
  const sunset = after.part['x-sunset'];
  if (sunset === undefined) return [];
  const earliest = before.part['x-sunset'] ?? yearAfter(interfaceDate(before.document));
  return sunset < earliest ? [`${place} ends on ${sunset} now, before ${earliest}`] : [];
}

function yearAfter(date: string): string {
  return `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;
}

/** A key that sufficed must suffice. */
function accessBreaks(place: string, before: Operation, after: Operation): string[] {
  const { 'x-scope': scope, 'x-role': role } = after;
  const rank = (one: string | undefined) => ROLES.indexOf(one as Role);
  return [
    ...(scope !== undefined && scope !== before['x-scope']
      ? [`${place} requires the scope ${scope} now`]
      : []),
    ...(rank(role) > rank(before['x-role']) ? [`${place} requires the role ${role} now`] : []),
    ...(after['x-costly'] && !before['x-costly'] ? [`${place} has the limit of costly operations now`] : []),
  ];
}

/** A client that satisfies an old alternative must satisfy a new one without more credentials. */
function securityBreaks(place: string, before: Operation, after: Operation): string[] {
  const alternatives = (after.security ?? []).map((schemes) => Object.keys(schemes));
  if (alternatives.length === 0) return [];
  if (before.security?.length === 0) return [`${place} requires a key now`];
  return (before.security ?? [])
    .map((schemes) => Object.keys(schemes))
    .filter((names) => !alternatives.some((alternative) => alternative.every((name) => names.includes(name))))
    .map((names) => `${place} no longer takes ${names.join(' and ')}`);
}

function parameterBreaks(place: string, before: Side<Operation>, after: Side<Operation>): string[] {
  const nameOf = (parameter: ParameterObject) => `${parameter.in} parameter ${parameter.name}`;
  const old = new Map(before.part.parameters?.map((parameter) => [nameOf(parameter), parameter]));
  const now = new Map(after.part.parameters?.map((parameter) => [nameOf(parameter), parameter]));
  const breaks = [...old.keys()].filter((name) => !now.has(name)).map((name) => `${place}: ${name} is gone`);
  for (const [name, { required, schema }] of now) {
    const was = old.get(name);
    if (required && !was?.required) breaks.push(`${place}: ${name} is required now`);
    if (!was) continue;
    breaks.push(...inputBreaks(`${place}: ${name}`, side(before, was.schema), side(after, schema)));
    const other = changedOthers(was, now.get(name) as ParameterObject, OF_PARAMETERS);
    breaks.push(...other.map((key) => `${place}: ${name} has another ${key} now`));
  }
  return breaks;
}

function requestBodyBreaks(place: string, before: Side<Operation>, after: Side<Operation>): string[] {
  const old = before.part.requestBody;
  const now = after.part.requestBody;
  const breaks = now?.required && !old?.required ? [`${place}: a body is required now`] : [];
  for (const [type, { schema }] of Object.entries(old?.content ?? {})) {
    const kept = now?.content[type];
    if (!kept) breaks.push(`${place}: a body of ${type} is no longer taken`);
    else breaks.push(...inputBreaks(`${place}: body`, side(before, schema), side(after, kept.schema)));
  }
  return [...new Set(breaks)];
}

/** Operations whose items have exactly the members that they have. */
const EXACT = ['listInventory', 'updateInventory'];

/** Errors and some items never get another member. */
function memberBreaks(place: string, before: Side<Schema>, after: Side<Schema>): string[] {
  const known = Object.keys(before.part.properties ?? {});
  const more = Object.keys(after.part.properties ?? {}).filter((name) => !known.includes(name));
  const { items } = before.part;
  return [
    ...more.map((name) => `${place}.${name} is a member more now`),
    ...(items ? memberBreaks(`${place}[]`, side(before, items), side(after, after.part.items ?? {})) : []),
  ];
}

function responseBreaks(
  place: string,
  status: string,
  before: Side<Operation>,
  after: Side<Operation>,
): string[] {
  const old = before.part.responses[status] as ResponseObject;
  const now = after.part.responses[status];
  if (!now) return [`${place} is gone`];
  const breaks: string[] = [];
  for (const [name, { required, schema }] of Object.entries(old.headers ?? {})) {
    const kept = now.headers?.[name];
    if (!kept) breaks.push(`${place} has no header ${name} any more`);
    else {
      if (required && !kept.required) breaks.push(`${place} may lack the header ${name} now`);
      breaks.push(...outputBreaks(`${place} ${name}`, side(before, schema), side(after, kept.schema)));
    }
  }
  breaks.push(
    ...codeBreaks(
      place,
      status,
      { document: before.document, part: old },
      { document: after.document, part: now },
    ),
  );
  for (const [type, { schema }] of Object.entries(old.content ?? {})) {
    const kept = now.content?.[type];
    if (!kept) breaks.push(`${place} has no ${type} any more`);
    else {
      const sides = [side(before, schema), side(after, kept.schema)] as const;
      breaks.push(...outputBreaks(place, ...sides));
      const isExact = status >= '400' || EXACT.includes(before.part.operationId);
      if (isExact) breaks.push(...memberBreaks(place, ...sides));
    }
  }
  return breaks;
}

/** A response without a list of codes may have each code of its status. */
function codeBreaks(
  place: string,
  status: string,
  before: Side<ResponseObject>,
  after: Side<ResponseObject>,
): string[] {
  const [old, now] = [before.part['x-error-codes'], after.part['x-error-codes']];
  if (!now) return old ? [`${place} no longer lists its codes`] : [];
  const ofStatus = Object.entries(before.document['x-error-codes'] ?? {}).flatMap(([code, of]) =>
    String(of.status) === status ? [code] : [],
  );
  return (old ?? ofStatus)
    .filter((code) => !now.includes(code))
    .map((code) => `${place} no longer has the code ${code}`);
}

function side({ document }: Side<unknown>, schema: Schema): Side<Schema> {
  return sideOf(document, schema);
}

function sideOf(document: OpenApiDocument, schema: Schema): Side<Schema> {
  return { document, part: withoutNullUnion(document, resolved(document, schema)) };
}

/** A union of one schema with `null` is that schema with one more type. */
function withoutNullUnion(document: OpenApiDocument, { oneOf, ...own }: Schema): Schema {
  const others = oneOf?.filter(({ type }) => type !== 'null');
  const [only] = others ?? [];
  if (oneOf?.length !== 2 || others?.length !== 1 || !only) return oneOf ? { oneOf, ...own } : own;
  const schema = resolved(document, only);
  return { ...schema, ...own, type: [...typesOf(schema), 'null'] };
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : [type].flat();
}

/** Bounds of a value: whether a larger one admits more. */
const BOUNDS = {
  minimum: false,
  exclusiveMinimum: false,
  minLength: false,
  minItems: false,
  maximum: true,
  exclusiveMaximum: true,
  maxLength: true,
  maxItems: true,
} as const;

type Bound = keyof typeof BOUNDS;

/** The bounds of `to` that admit less than those of `from`. */
function narrowed(from: Schema, to: Schema): Bound[] {
  const [old, now] = [from, to] as Readonly<Partial<Record<Bound, number>>>[];
  return (Object.keys(BOUNDS) as Bound[]).filter((bound) => {
    const isUpper = BOUNDS[bound];
    const none = isUpper ? Infinity : -Infinity;
    const [was, is] = [old?.[bound] ?? none, now?.[bound] ?? none];
    return isUpper ? is < was : is > was;
  });
}

/** Other rules of a value. A change of any of them counts as incompatible. */
const RULES = ['format', 'pattern', 'multipleOf', 'uniqueItems', 'additionalProperties', 'not', 'const'];

/** The rules of `to` that `from` does not have so. */
function addedRules(from: Schema, to: Schema): string[] {
  const [old, now] = [from, to] as unknown as Readonly<Record<string, unknown>>[];
  return RULES.filter((rule) => now?.[rule] !== undefined && !isDeepStrictEqual(now[rule], old?.[rule]));
}

/** What is compared by its meaning, or means nothing to a client. */
const OF_PARAMETERS = ['name', 'in', 'required', 'schema', 'description', 'example', 'deprecated'];
const OF_SCHEMAS = [
  ...['$ref', 'type', 'properties', 'required', 'items', 'enum', 'oneOf', 'default'],
  ...['description', 'example', 'title', 'x-actions'],
  ...Object.keys(BOUNDS),
  ...RULES,
];

/** The keys that differ, and of which nothing is known: any of them may refuse what was taken. */
function changedOthers(before: object, after: object, known: readonly string[]): string[] {
  const [old, now] = [before, after] as Readonly<Record<string, unknown>>[];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !known.includes(key) && !isDeepStrictEqual(old?.[key], now?.[key]),
  );
}

/** Whether a schema takes any value. */
function isAny({ type, oneOf, enum: values, const: value }: Schema): boolean {
  return [type, oneOf, values, value].every((rule) => rule === undefined);
}

/** A request that was valid must stay valid. */
function inputBreaks(place: string, before: Side<Schema>, after: Side<Schema>): string[] {
  const [old, now] = [before.part, after.part];
  const breaks: string[] = [];
  if (isAny(old) && !isAny(now)) breaks.push(`${place} may no longer be anything`);
  if (now.oneOf && !old.oneOf) breaks.push(`${place} must be one of some alternatives now`);
  if (now.items && !old.items) breaks.push(`${place} has a rule for its items now`);
  const types = typesOf(now);
  const lost = typesOf(old).filter((type) => types.length > 0 && !types.includes(type));
  if (lost.length > 0) breaks.push(`${place} may no longer be ${lost.join(' or ')}`);
  if (now.enum) {
    const refused = old.enum ? old.enum.filter((value) => !now.enum?.includes(value)) : ['any value'];
    if (refused.length > 0) breaks.push(`${place} may no longer be ${refused.join(' or ')}`);
  }
  breaks.push(...narrowed(old, now).map((bound) => `${place} has a narrower ${bound} now`));
  breaks.push(...addedRules(old, now).map((rule) => `${place} has another ${rule} now`));
  if (!isDeepStrictEqual(old.default, now.default)) breaks.push(`${place} has another default now`);
  for (const name of now.required ?? []) {
    if (!old.required?.includes(name)) breaks.push(`${place}.${name} is required now`);
  }
  return [...breaks, ...partBreaks(place, before, after, inputBreaks)];
}

/** A guarantee of a response must remain. */
function outputBreaks(place: string, before: Side<Schema>, after: Side<Schema>): string[] {
  const [old, now] = [before.part, after.part];
  const breaks: string[] = [];
  if (old.oneOf && !now.oneOf) breaks.push(`${place} may be other than its alternatives now`);
  const types = typesOf(old);
  const isWider =
    types.length > 0 && (typesOf(now).length === 0 || typesOf(now).some((type) => !types.includes(type)));
  if (isWider) breaks.push(`${place} may be ${typesOf(now).join(' or ') || 'anything'} now`);
  breaks.push(...narrowed(now, old).map((bound) => `${place} has a wider ${bound} now`));
  breaks.push(...addedRules(now, old).map((rule) => `${place} no longer has its ${rule}`));
  if (now.format !== undefined && old.format === undefined) breaks.push(`${place} has a format now`);
  const isClosed = old.enum !== undefined;
  const added = now.enum ? now.enum.filter((value) => !old.enum?.includes(value)) : ['any value'];
  if (isClosed && added.length > 0) breaks.push(`${place} may be ${added.join(' or ')} now`);
  for (const name of old.required ?? []) {
    if (now.properties?.[name] && !now.required?.includes(name))
      breaks.push(`${place}.${name} may be missing now`);
  }
  return [...breaks, ...partBreaks(place, before, after, outputBreaks)];
}

function partBreaks(
  place: string,
  before: Side<Schema>,
  after: Side<Schema>,
  compare: typeof inputBreaks,
): string[] {
  const breaks = Object.entries(before.part.properties ?? {}).flatMap(([name, schema]) => {
    const kept = after.part.properties?.[name];
    if (!kept) return [`${place}.${name} is gone`];
    return compare(`${place}.${name}`, side(before, schema), side(after, kept));
  });
  const others = changedOthers(before.part, after.part, OF_SCHEMAS);
  breaks.push(...others.map((keyword) => `${place} has another ${keyword} now`));
  breaks.push(...alternativeBreaks(place, before, after, compare));
  const [values, valuesNow] = [before, after].map(({ part }) => part.additionalProperties);
  if (typeof values === 'object' && typeof valuesNow === 'object') {
    breaks.push(...compare(`${place}.*`, side(before, values), side(after, valuesNow)));
  }
  const { items } = before.part;
  if (!items) return breaks;
  return [...breaks, ...compare(`${place}[]`, side(before, items), side(after, after.part.items ?? {}))];
}

/** The alternatives of a union are known by their component, or by their order. */
function alternativeBreaks(
  place: string,
  before: Side<Schema>,
  after: Side<Schema>,
  compare: typeof inputBreaks,
): string[] {
  const [old, now] = [before, after].map(({ part }) => new Map((part.oneOf ?? []).map(named))) as [
    Map<string, Schema>,
    Map<string, Schema>,
  ];
  const [asked, given] = compare === inputBreaks ? [old, now] : [now, old];
  const lost = [...asked.keys()].filter((name) => !given.has(name));
  const verb = compare === inputBreaks ? 'may no longer be' : 'may be';
  return [
    ...lost.map((name) => `${place} ${verb} ${name}${compare === inputBreaks ? '' : ' now'}`),
    ...[...old].flatMap(([name, schema]) => {
      const kept = now.get(name);
      return kept ? compare(`${place}(${name})`, side(before, schema), side(after, kept)) : [];
    }),
  ];
}

function named(schema: Schema, index: number): [string, Schema] {
  return [
    schema.$ref?.split('/').at(-1) ?? (schema.type === 'null' ? 'null' : `alternative ${index + 1}`),
    schema,
  ];
}
