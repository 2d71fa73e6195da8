import { STATUS_CODES } from 'node:http';
import { codePanel, curlCommand, eventCode, jsonCode, shellCode } from './code.ts';
import {
  anchor,
  type DocumentedOperation,
  type Header,
  listErrorCodes,
  type OpenApiDocument,
  type Response,
  resolve,
} from './document.ts';
import { codeName, type Fragment, type Html, html, inlineMarkdown, joined, markdown } from './html.ts';
import { exampleOfSchema, schemaTable, typeName, valueTable } from './schema.ts';

export interface NamedHeader extends Header {
  readonly name: string;
}

/** The headers that all of these responses have, as the first of them describes them. */
export function headersInAll(document: OpenApiDocument, responses: readonly Response[]): NamedHeader[] {
  return Object.entries(responses[0]?.headers ?? {})
    .filter(([name]) => responses.every(({ headers }) => Object.hasOwn(headers ?? {}, name)))
    .map(([name, header]) => ({ ...resolve(document.components.headers, header), name }));
}

export function headerTable(document: OpenApiDocument, headers: readonly NamedHeader[]): Html {
  // `required` matters only to a sender.
  const rows = headers.map(({ name, schema = {}, description }) => {
    return { name, schema, description, isRequired: false };
  });
  return valueTable(document, 'Header', rows);
}

/** A status code, coloured by its class. */
export function statusMark(status: string): Html {
  return html`<span class="status s${status.slice(0, 1)}">${status}</span>`;
}

/** A status with its reason phrase, such as `404 Not Found`. */
function statusName(status: string): Html {
  return html`<span class="status-name">${statusMark(status)} <span class="reason">${STATUS_CODES[status]}</span></span>`;
}

/** Stability, deprecation and sunset. */
function badges(operation: DocumentedOperation): Html {
  const { 'x-stability': stability, 'x-sunset': sunset, deprecated } = operation;
  return html`${
    stability && html`<span class="badge ${stability}">${capitalized(stability)}</span> `
  }${deprecated === true && html`<span class="badge deprecated">Deprecated</span> `}${
    sunset && html`<span class="badge sunset">Sunset <time datetime="${sunset}">${sunset}</time></span>`
  }`;
}

export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The credentials of a request, and the scope that its key must have. */
function access({ 'x-scope': scope }: DocumentedOperation): Html {
  const needed = scope === undefined ? 'any key' : html`scope <code>${scope}</code>`;
  return html`<p class="access"><span>Authentication</span> <a href="#${anchor('section', 'authentication')}">Bearer API key</a>, ${needed}</p>`;
}

const PARAMETER_GROUPS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Header parameters'],
] as const;

function parameters(document: OpenApiDocument, operation: DocumentedOperation): Fragment {
  return PARAMETER_GROUPS.map(([place, heading]) => {
    const rows = operation.parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name = '', schema = {}, description, required = false }) => {
        return { name, schema, description, isRequired: required };
      });
    return rows.length > 0 && html`<h4>${heading}</h4>${valueTable(document, 'Name', rows)}`;
  });
}

function requestBody(document: OpenApiDocument, operation: DocumentedOperation): Fragment {
  const { content = {} } = operation.requestBody ?? {};
  const schema = Object.values(content)[0]?.schema;
  if (!schema) return undefined;
  const types = Object.keys(content).map((type) => html`<code>${type}</code>`);
  return html`<h4>Request body <span class="required">required</span></h4>
<p class="media"><span class="type">${typeName(schema)}</span> as ${joined(types, ' or ')}</p>
${schemaTable(document, schema)}`;
}

function errorCodes(document: OpenApiDocument, status: string, response: Response): Fragment {
  const codes =
    response['x-error-codes'] ??
    listErrorCodes(document)
      .filter((error) => String(error.status) === status)
      .map(({ code }) => code);
  if (codes.length === 0) return undefined;
  return html`<p class="codes"><span>Codes</span> ${joined(codes.map(codeName), ' ')}</p>`;
}

function responseRow(
  document: OpenApiDocument,
  status: string,
  response: Response,
  known: Set<string>,
): Html {
  const [type, body] = Object.entries(response.content ?? {})[0] ?? [];
  const own = Object.entries(response.headers ?? {}).filter(([name]) => !known.has(name));
  const headers = own.map(([name, header]) => {
    const { description = '' } = resolve(document.components.headers, header);
    return html`<li>${codeName(name)} ${inlineMarkdown(description)}</li>`;
  });
  const shape = body && html` <span class="type">${typeName(body.schema)}</span>`;
  const media = type !== undefined && type !== 'application/json' && html` as <code>${type}</code>`;
  return html`<tr><th scope="row">${statusName(status)}${shape}${media}</th>
<td>${markdown(response.description)}${errorCodes(document, status, response)}${
    headers.length > 0 && html`<ul class="headers">${headers}</ul>`
  }</td></tr>`;
}

/** The responses. Headers that every response of the interface has are in a section of their own. */
function responseTable(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  everywhere: Set<string>,
): Html {
  const responses = Object.entries(operation.responses);
  const shared = headersInAll(document, Object.values(operation.responses));
  const own = shared.filter(({ name }) => !everywhere.has(name));
  const known = new Set([...everywhere, ...shared.map(({ name }) => name)]);
  const tableOf = (some: typeof responses) => {
    const rows = some.map(([status, response]) => responseRow(document, status, response, known));
    return html`<table class="rows"><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
  };
  const errors = responses.filter(([status]) => /^[45]/.test(status));
  const statuses = errors.map(([status]) => html`<code>${status}</code>`);
  return html`<h4>Responses</h4>
${tableOf(responses.filter(([status]) => !/^[45]/.test(status)))}
<details class="errors"><summary>Errors ${joined(statuses, ' ')}</summary>${tableOf(errors)}</details>
${own.length > 0 && html`<h4>Headers of each response</h4>${headerTable(document, own)}`}
<p class="note">Also the <a href="#${anchor('section', 'headers')}">headers of every response</a>.</p>`;
}

function responseExample(document: OpenApiDocument, operation: DocumentedOperation): Fragment {
  const [status, { content = {} }] = Object.entries(operation.responses)[0] as [string, Response];
  return Object.entries(content).map(([type, { schema }]) => {
    const example = exampleOfSchema(document, schema);
    const code = type === 'text/event-stream' ? eventCode(String(example)) : jsonCode(example);
    return codePanel(html`<span>Response</span> ${statusName(status)}`, code);
  });
}

/** The section of one operation, with a request to copy and its response. */
export function operationSection(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  everywhere: Set<string>,
): Html {
  const { operationId: id, method, path, summary } = operation;
  const basePath = URL.parse(document.servers[0]?.url ?? '')?.pathname.replace(/\/$/, '');
  return html`<section class="split operation" id="${id}" aria-labelledby="${id}-title">
<div class="text">
<h3 id="${id}-title"><a class="self" href="#${id}">${summary}</a></h3>
<p class="endpoint"><span class="verb v-${method.toLowerCase()}">${method}</span> <code><span class="base">${basePath}</span>${joined(path.split(/(?=\/)/), html`<wbr>`)}</code></p>
<p class="badges">${badges(operation)}</p>
${markdown(operation.description)}
${access(operation)}
${parameters(document, operation)}
${requestBody(document, operation)}
${responseTable(document, operation, everywhere)}
</div>
<div class="code">${codePanel('Request', shellCode(curlCommand(document, operation)))}${responseExample(document, operation)}</div>
</section>
`;
}
