import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
  resolve,
} from '../document.ts';
import type { ResponseSample, ResponseSamples } from './response-samples.ts';
import { samplesOf } from './samples/samples.ts';

/** Where a document is read, and what it shows beside its operations. */
export interface ReferenceOptions {
  /** The address of the API on this server. */
  readonly serverUrl: string;
  /** Whether there are samples of its operations. */
  readonly hasSamples: boolean;
  readonly introduction: string;
  /** The responses to executed requests; the document has invented ones. */
  readonly responses?: SamplesOfInterface;
  /** The address of the part of the page that explains an error. */
  errorAddress(code: string): string;
}

interface SamplesOfInterface {
  readonly operations: Readonly<Record<string, ResponseSample>>;
  readonly errors: ResponseSamples['errors'];
}

/** A document of this service as the page shows it: for this server, with samples and tables. */
export function referenceOf(document: OpenApiDocument, options: ReferenceOptions): OpenApiDocument {
  const made = structuredClone(document);
  made.servers = [{ url: options.serverUrl }];
  made.info.description = options.introduction;
  const common = commonErrors(made);
  for (const listed of operationsOf(made)) {
    const { operation } = listed;
    operation.description += `\n\n${factsOf(made, operation, common, options)}`;
    const stability = operation['x-stability'];
    if (stability) operation['x-badges'] = [{ name: stability }];
    if (options.hasSamples) operation['x-codeSamples'] = samplesOf(made, listed);
    if (options.responses) showResponses(made, operation, options.responses);
    operation.parameters = operation.parameters?.map((parameter) =>
      withoutExample(made, resolve(made.components.parameters, parameter)),
    );
  }
  for (const tag of made.tags) if (tag.name === 'Limits') tag.description += `\n\n${limitsOf(made)}`;
  return made;
}

/** The form for trying an operation would send each optional parameter that has an example or a default, also one of its schema. */
function withoutExample({ components }: OpenApiDocument, parameter: Parameter): Parameter {
  if (parameter.required || !parameter.schema) return parameter;
  const { example: _own, schema, description = '', ...rest } = parameter;
  const { example: _first, examples: _all, default: usual, ...plain } = resolve(components.schemas, schema);
  const said = usual === undefined ? description : `${description} The default is \`${String(usual)}\`.`;
  return { ...rest, description: said.trim(), schema: plain };
}

/** What a caller needs, and what refuses the call, as Markdown. */
function factsOf(
  document: OpenApiDocument,
  operation: Operation,
  everywhere: ReadonlySet<string>,
  options: ReferenceOptions,
): string {
  const { 'x-scope': scope, 'x-role': role } = operation;
  const links = (codes: readonly string[]) =>
    codes.map((code) => `[${code}](${options.errorAddress(code)})`).join(', ');
  const errors = Object.entries(errorsOf(document, operation));
  const needs = [scope && `Scope of the key: \`${scope}\`.`, role && `Role: \`${role}\`.`].filter(Boolean);
  const rows = [
    ...errors.map(([status, codes]) => [status, links(codes.filter((code) => !everywhere.has(code)))]),
    ['any', links([...everywhere])],
  ].filter(([, value]) => value);
  return [
    ...needs.flatMap((need) => [need, '']),
    '| Status | Error codes |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
  ].join('\n');
}

/** The codes that every operation can return. */
function commonErrors(document: OpenApiDocument): ReadonlySet<string> {
  const sets = operationsOf(document).map(
    ({ operation }) => new Set(Object.values(errorsOf(document, operation)).flat()),
  );
  const [first = [], ...others] = sets;
  return new Set(Array.from(first).filter((code) => others.every((codes) => codes.has(code))));
}

/** The error codes of an operation by status. */
function errorsOf(document: OpenApiDocument, operation: Operation): Record<string, string[]> {
  const errors = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, reference]) => [status, codesOf(document, status, reference)] as const);
  return Object.fromEntries(errors);
}

function codesOf(document: OpenApiDocument, status: string, reference: Response): string[] {
  const response = resolve(document.components.responses, reference);
  const all = Object.entries(document['x-error-codes']);
  return (
    response['x-error-codes'] ?? all.filter(([, own]) => own.status === Number(status)).map(([code]) => code)
  );
}

/** Puts the samples into the responses of an operation: its own, and one for each error code. */
function showResponses(document: OpenApiDocument, operation: Operation, samples: SamplesOfInterface): void {
  const own = samples.operations[operation.operationId];
  for (const [status, reference] of Object.entries(operation.responses)) {
    const { content, ...response } = resolve(document.components.responses, reference);
    if (!content) continue;
    const codes = Number(status) < 400 ? [] : codesOf(document, status, reference);
    const examples = Object.fromEntries(codes.map((code) => [code, { value: samples.errors[code] }]));
    const shown = Object.entries(content).map(([type, one]) => {
      const isOwn = own?.status === Number(status) && own.type === type;
      if (isOwn) return [type, { ...one, example: own.body }] as const;
      return [type, codes.length === 0 ? one : { ...one, examples }] as const;
    });
    operation.responses[status] = { ...response, content: Object.fromEntries(shown) };
  }
}

function limitsOf(document: OpenApiDocument): string {
  const { description, plans = {} } = document['x-limits'];
  const shown = (limit: number | null) => limit?.toLocaleString('en') ?? 'as agreed';
  const rows = Object.entries(plans).map(
    ([name, { perMinute, perDay }]) => `| \`${name}\` | ${shown(perMinute)} | ${shown(perDay)} |`,
  );
  if (rows.length === 0) return description;
  return [
    description,
    '',
    '| plan | requests per minute | requests per day |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}
