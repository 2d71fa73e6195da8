import { type ListedOperation, type OpenApiDocument, resolve } from '../../document.ts';
import { SAMPLE_REQUESTS } from './requests.ts';

/** One request of a sample. */
export interface Call {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  /** The values of the path and of the query, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
  /** What the response is: JSON, events without end, lines of another type, or nothing. */
  readonly response: 'json' | 'events' | 'text' | 'none';
}

/** The request of an operation, with the examples of the document in its path. */
export function callOf(document: OpenApiDocument, { method, path, operation }: ListedOperation): Call {
  const { operationId, parameters = [], responses } = operation;
  const own = SAMPLE_REQUESTS[operationId] ?? {};
  const required = parameters
    .map((parameter) => resolve(document.components.parameters, parameter))
    .filter((parameter) => parameter.required);
  const examplesIn = (place: string) =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === place)
        .map(({ name = '', example = name }) => [name, String(example)]),
    );
  const values = examplesIn('path');
  const query = { ...examplesIn('query'), ...own.query };
  const search = new URLSearchParams(query).toString();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name);
  const types = Object.keys(successOf(document, responses)?.content ?? {});
  return {
    operationId,
    method,
    url: `${document.servers[0]?.url}${filled}${search && `?${search}`}`,
    path: values,
    query,
    headers: {
      ...(own.body && { 'Content-Type': 'application/json' }),
      ...(own.idempotencyKey && { 'Idempotency-Key': own.idempotencyKey }),
    },
    body: own.body,
    response: responseKind(types),
  };
}

function successOf(document: OpenApiDocument, responses: ListedOperation['operation']['responses']) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success && resolve(document.components.responses, success);
}

function responseKind(types: readonly string[]): Call['response'] {
  if (types.length === 0) return 'none';
  if (types.includes('text/event-stream')) return 'events';
  return types.some((type) => type.includes('json') && !type.includes('ndjson')) ? 'json' : 'text';
}
