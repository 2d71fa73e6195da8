import { type ListedOperation, type OpenApiDocument, resolve } from '../../document.ts';
import type { Call } from './call.ts';
import { SAMPLE_REQUESTS } from './requests.ts';

const CLIENT = "import { PetstoreClient } from '@petstore-inventory/client';";

/** A program for `@petstore-inventory/client`. The key is in the environment variable `KEY`. */
export function typescriptSample(document: OpenApiDocument, listed: ListedOperation, call: Call): string {
  const invocation = `store.${call.operationId}(${argumentsOf(document, listed).join(', ')})`;
  return `${CLIENT}

const store = new PetstoreClient({
  baseUrl: '${document.servers[0]?.url}',
  apiKey: process.env.KEY ?? '',
});
${statementOf(call, invocation)}
`;
}

function statementOf({ response, url, method }: Call, invocation: string): string {
  if (response === 'events') return `for await (const event of ${invocation}) {\n  console.log(event);\n}`;
  if (response === 'none') return `await ${invocation};`;
  // The client reads page after page.
  if (method === 'GET' && /[?&]limit=/.test(url))
    return `for await (const item of ${invocation}) {\n  console.log(item);\n}`;
  return `console.log(await ${invocation});`;
}

/** In the order of the methods: the path, the query, the body, options. */
function argumentsOf(document: OpenApiDocument, { operation }: ListedOperation): string[] {
  const parameters = (operation.parameters ?? []).map((one) => resolve(document.components.parameters, one));
  const { query = {}, body, idempotencyKey } = SAMPLE_REQUESTS[operation.operationId] ?? {};
  const path = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, example }) => pathArgument(name, example));
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const allQuery = {
    ...Object.fromEntries(required.map(({ name = '', example }) => [name, String(example)])),
    ...query,
  };
  const members = Object.entries(allQuery).map(([name, value]) => `${name}: ${queryValue(value)}`);
  return [
    ...path,
    ...(members.length > 0 ? [`{ ${members.join(', ')} }`] : []),
    ...(body ? [literal(body)] : []),
    // Without one the client makes a key for each call.
    ...(body && idempotencyKey ? [`{ idempotencyKey: '${idempotencyKey}' }`] : []),
  ];
}

function pathArgument(name: string | undefined, example: unknown): string {
  if (name === 'petId') return `${String(example)}n`;
  return typeof example === 'number' ? String(example) : literal(String(example));
}

function queryValue(value: string): string {
  return /^\d+$/.test(value) ? value : literal(value);
}

/** A value as TypeScript writes it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, one]) => `${name}: ${literal(one)}`);
    return `{ ${members.join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}
