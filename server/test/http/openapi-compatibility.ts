import { isDeepStrictEqual } from 'node:util';
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

/**
 * The incompatible changes of a new document for clients of an old one, one sentence each: a removed operation,
 * response field or allowed input, a new required input, or a value of another type. Additions that a client may ignore
 * are compatible.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const kept = new Map(operationsIn(after).map((documented) => [placeOf(documented), documented]));
  const ofOperations = operationsIn(before).flatMap((old) => {
    const place = placeOf(old);
    const now = kept.get(place);
    if (!now) return [`${place} is gone`];
    return operationBreaks(
      place,
      { document: before, part: old.operation },
      { document: after, part: now.operation },
    );
  });
  return [...serverBreaks(before, after), ...schemeBreaks(before, after), ...ofOperations];
}

/** Hosts are the operator's choice; the path holds the version. */
function serverBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const pathsOf = ({ servers }: OpenApiDocument) => servers.map(({ url }) => new URL(url).pathname);
  const now = pathsOf(after);
  return pathsOf(before).flatMap((path, i) =>
    now[i] === path ? [] : [`server ${i} is no longer at ${path}`],
  );
}

function schemeBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const now = schemesOf(after);
  return Object.entries(schemesOf(before))
    .filter(([name, scheme]) => {
      const described = { ...scheme, description: now[name]?.description };
      return name in now && !isDeepStrictEqual(described, { description: undefined, ...now[name] });
    })
    .map(([name]) => `the security scheme ${name} is another one now`);
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
    ...securityBreaks(place, before.part, after.part),
    ...parameterBreaks(place, before, after),
    ...requestBodyBreaks(place, before, after),
    // A removed error is compatible; the remaining errors keep their shape.
    ...Object.keys(before.part.responses)
      .filter((status) => Number(status) < 400 || after.part.responses[status])
      .flatMap((status) => responseBreaks(`${place} ${status}`, status, before, after)),
  ];
}

/** A client that satisfies an old alternative must satisfy a new one without more credentials. */
function securityBreaks(place: string, before: Operation, after: Operation): string[] {
  const alternatives = (after.security ?? []).map((schemes) => Object.keys(schemes));
  if (alternatives.length === 0) return [];
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
    if (was) breaks.push(...inputBreaks(`${place}: ${name}`, side(before, was.schema), side(after, schema)));
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
  for (const [name, { required }] of Object.entries(old.headers ?? {})) {
    const kept = now.headers?.[name];
    if (!kept) breaks.push(`${place}: the header ${name} is gone`);
    else if (required && !kept.required) breaks.push(`${place}: the header ${name} may be missing`);
  }
  for (const [type, { schema }] of Object.entries(old.content ?? {})) {
    const kept = now.content?.[type];
    if (!kept) breaks.push(`${place}: ${type} is gone`);
    else breaks.push(...outputBreaks(place, side(before, schema), side(after, kept.schema)));
  }
  return breaks;
}

function side({ document }: Side<unknown>, schema: Schema): Side<Schema> {
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

/** Other keywords that restrict input; a change of any of them counts as incompatible. */
const NARROWING =
  'format pattern minLength maxLength exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems additionalProperties'.split(
    ' ',
  );

function narrowings(place: string, before: Schema, after: Schema): string[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  return NARROWING.filter(
    (keyword) => now[keyword] !== undefined && !isDeepStrictEqual(now[keyword], old[keyword]),
  ).map((keyword) => `${place} has the ${keyword} ${JSON.stringify(now[keyword])} now`);
}

/** A request that was valid must stay valid. */
function inputBreaks(place: string, before: Side<Schema>, after: Side<Schema>): string[] {
  const [old, now] = [before.part, after.part];
  const breaks: string[] = [];
  const types = typesOf(now);
  const lost = typesOf(old).filter((type) => types.length > 0 && !types.includes(type));
  if (lost.length > 0) breaks.push(`${place} may no longer be ${lost.join(' or ')}`);
  if (now.enum) {
    const refused = old.enum ? old.enum.filter((value) => !now.enum?.includes(value)) : ['any value'];
    if (refused.length > 0) breaks.push(`${place} may no longer be ${refused.join(' or ')}`);
  }
  if ((now.minimum ?? -Infinity) > (old.minimum ?? -Infinity)) breaks.push(`${place} has a higher minimum`);
  if ((now.maximum ?? Infinity) < (old.maximum ?? Infinity)) breaks.push(`${place} has a lower maximum`);
  for (const name of now.required ?? []) {
    if (!old.required?.includes(name)) breaks.push(`${place}.${name} is required now`);
  }
  return [...breaks, ...narrowings(place, old, now), ...propertyBreaks(place, before, after, inputBreaks)];
}

/** A guarantee of a response must remain. */
function outputBreaks(place: string, before: Side<Schema>, after: Side<Schema>): string[] {
  const [old, now] = [before.part, after.part];
  const breaks: string[] = [];
  const types = typesOf(old);
  const isWider =
    types.length > 0 && (typesOf(now).length === 0 || typesOf(now).some((type) => !types.includes(type)));
  if (isWider) breaks.push(`${place} may be ${typesOf(now).join(' or ') || 'anything'} now`);
  if (old.format !== now.format) breaks.push(`${place} has the format ${now.format} now`);
  const isClosed = old.enum !== undefined;
  const added = now.enum ? now.enum.filter((value) => !old.enum?.includes(value)) : ['any value'];
  if (isClosed && added.length > 0) breaks.push(`${place} may be ${added.join(' or ')} now`);
  for (const name of old.required ?? []) {
    if (now.properties?.[name] && !now.required?.includes(name))
      breaks.push(`${place}.${name} may be missing now`);
  }
  return [...breaks, ...propertyBreaks(place, before, after, outputBreaks)];
}

function propertyBreaks(
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
  const { items } = before.part;
  if (!items) return breaks;
  return [...breaks, ...compare(`${place}[]`, side(before, items), side(after, after.part.items ?? {}))];
}
