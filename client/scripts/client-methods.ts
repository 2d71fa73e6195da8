import { commentOf, indented, type Schema, typeOf } from '../../scripts/schema-types.ts';
import type { ClientTypes } from './client-types.ts';
import type { Operation, Parameter } from './document.ts';

/** Types of parameters that are texts with commas in the document. */
const LISTS: Readonly<Record<string, string>> = {
  'listInventory petId': 'PetIdInput | readonly PetIdInput[]',
  'listInventory alert': 'AlertLevel | readonly AlertLevel[]',
  'listCatalog alertLevel': 'AlertLevel | readonly AlertLevel[]',
  'listPets petId': 'PetIdInput | readonly PetIdInput[]',
  'listPets alert': 'AlertLevel | readonly AlertLevel[]',
};
/** The types of path parameters; all others are texts. */
const PATH_TYPES: Readonly<Record<string, string>> = {
  petId: 'PetIdInput',
  sequence: 'number',
  orderId: 'number',
};

const JSON_TYPE = 'application/json';

/** Sentences about parts of requests that the client makes by itself. */
const OF_HTTP =
  /`(?:Content-Type|HEAD|If-None-Match|If-Match|ETag|Link|Idempotency-Key|GET )|deprecated: use/i;

/** The type of an operation's query, or nothing. */
export function queryType(operation: Operation, types: ClientTypes): string | undefined {
  const parameters = queryOf(operation);
  if (parameters.length === 0) return undefined;
  const members = parameters.map(({ name, description, required, schema }) => {
    const type = LISTS[`${operation.id} ${name}`] ?? typeOf(schema, types.input);
    return `${commentOf(description)}readonly ${name}${required ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  return `/** The parameters of \`${operation.id}\`. */\nexport interface ${queryName(operation)} {\n${indented(members.join('\n'))}\n}`;
}

/** The method of the client for an operation. */
export function methodOf(operation: Operation, types: ClientTypes): string {
  const { id, method, path, body, isBodyRequired, mediaType, isPaged, parameters } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const query = queryOf(operation);
  const isQueryRequired = query.some(({ required }) => required);
  const accepted = [
    ...inPath.map(({ name }) => `${name}: ${PATH_TYPES[name] ?? 'string'}`),
    ...(operation.isFileSent
      ? ['file: SentFile']
      : body
        ? [`body${isBodyRequired ? '' : '?'}: ${typeOf(body, types.input)}`]
        : []),
    ...(query.length > 0 ? [`query${isQueryRequired ? '' : '?'}: ${queryName(operation)}`] : []),
    `options?: ${optionsOf(operation)}`,
  ];
  const call = [
    `'${method}'`,
    `'${path}'`,
    `{ ${[...(inPath.length > 0 ? [`path: [${inPath.map(({ name }) => name).join(', ')}]`] : []), ...(query.length > 0 ? ['query'] : []), ...(body ? ['body'] : []), 'options', ...(isKeyed(operation) ? ['isKeyed: true'] : []), ...(operation.isCostly ? ['isCostly: true'] : []), ...largeMembers(operation)].join(', ')} }`,
  ];
  const [result, sender] = resultOf(operation, types);
  if (mediaType === 'text/event-stream') {
    return `${docsOf(operation)}abstract ${id}(query?: ${queryName(operation)}, options?: StreamOptions): AsyncIterableIterator<Movement>;`;
  }
  if (operation.isFileSent || (mediaType ?? JSON_TYPE) !== JSON_TYPE) {
    // Sent and read as a text or bytes, which is written by hand.
    if (hasWorkbook(operation)) {
      const format = `F extends ${queryName(operation)}['format'] = undefined`;
      const asked = accepted.with(0, `${accepted[0]} & { readonly format?: F }`);
      return `${docsOf(operation)}abstract ${id}<${format}>(${asked.join(', ')}): ApiPromise<ExportedFile<F>>;`;
    }
    const type = operation.isFileSent ? result : 'string';
    return `${docsOf(operation)}abstract ${id}(${accepted.join(', ')}): ApiPromise<${type}>;`;
  }
  return `${docsOf(operation)}${id}(${accepted.join(', ')}): ${isPaged ? 'PagePromise' : 'ApiPromise'}<${result}> {\n  return this.${sender}(${call.join(', ')});\n}`;
}

/** Whether the format of its file may be that of a workbook, which is no text. */
function hasWorkbook(operation: Operation): boolean {
  return queryOf(operation).some(({ name, schema }) => name === 'format' && schema.enum?.includes('xlsx'));
}

/** The type of a result, and the method that makes it. */
function resultOf({ result, isPaged }: Operation, types: ClientTypes): [string, string] {
  if (!result) return ['void', 'call'];
  return isPaged
    ? [typeOf(result.items as Schema, types.output), 'page']
    : [typeOf(result, types.output), 'call'];
}

function docsOf({ summary, description, scope, role, isDeprecated }: Operation): string {
  const [paragraph = ''] = description.split('\n\n');
  const sentences = paragraph.split(/(?<=\.) (?=[A-Z`])/).filter((sentence) => !OF_HTTP.test(sentence));
  return commentOf(
    `${summary}. ${sentences.join(' ')}${scope ? `\n\nScope: \`${scope}\`.` : ''}${role ? `\n\nRole: \`${role}\`.` : ''}${isDeprecated ? '\n\n@deprecated Use `getInventoryItem`.' : ''}`,
  );
}

function optionsOf(operation: Operation): string {
  if (operation.isFileSent) return 'FileOptions';
  const headers = operation.parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name);
  if (headers.includes('Idempotency-Key')) {
    return headers.includes('If-Match') ? 'ConditionalWriteOptions' : 'WriteOptions';
  }
  return headers.includes('If-Match') ? 'ConditionalOptions' : 'RequestOptions';
}

function isKeyed({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}

/** The totals of the shop have integers of 64 bits that are not petIds, and a bulk change a petId with another name. */
function largeMembers({ id }: Operation): string[] {
  if (id === 'listBulkChangePets') return ['exact: /^petIds?$|Owner$/'];
  return id === 'getStoreInventory' ? ['exact: /Units$|^(available|pending|sold)$/'] : [];
}

function queryOf({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function queryName({ id }: Operation): string {
  return `${id[0]?.toUpperCase()}${id.slice(1)}Query`;
}
