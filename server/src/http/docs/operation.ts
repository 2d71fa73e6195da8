import { STATUS_CODES } from 'node:http';
import { codePanel, curlCommand, jsonCode, shellCode } from './code.ts';
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
import { exampleOf, type Row, schemaTable, typeName, valueTable } from './schema.ts';

export interface NamedHeader extends Header {
  readonly name: string;
}

/** The headers that all of these responses carry, as the first of them describes them. */
export function headersInAll(document: OpenApiDocument, responses: readonly Response[]): NamedHeader[] {
  return Object.entries(responses[0]?.headers ?? {})
    .filter(([name]) => responses.every(({ headers }) => Object.hasOwn(headers ?? {}, name)))
    .map(([name, header]) => ({ ...resolve(document, header), name }));
}

/** The responses of an operation, ascending by status. */
export function responsesOf(document: OpenApiDocument, operation: DocumentedOperation): [string, Response][] {
  return Object.entries(operation.responses ?? {}).map(([status, reference]) => {
    const response = resolve(document, reference);
    return [status, { ...response, headers: { ...operation['x-response-headers'], ...response.headers } }];
  });
}

export function headerTable(document: OpenApiDocument, headers: readonly NamedHeader[]): Html {
  // Whether a header is required says nothing to those who only receive it.
  const rows = headers.map((header) => ({ ...asRow(header), isRequired: false }));
  return valueTable(document, 'Header', rows);
}

function asRow(value: Header & { readonly name?: string }): Row {
  return {
    name: value.name ?? '',
    schema: value.schema ?? {},
    description: value.description,
    isRequired: value.required ?? false,
    isDeprecated: value.deprecated,
  };
}

/** A status code, coloured by its class. */
export function statusMark(status: string): Html {
  return html`<span class="status s${status.slice(0, 1)}">${status}</span>`;
}

/** A status as people read it, such as `404 Not Found`. */
function statusName(status: string): Html {
  return html`<span class="status-name">${statusMark(status)} <span class="reason">${STATUS_CODES[status]}</span></span>`;
}

/** Stability, deprecation and sunset: what a caller must know before building on an operation. */
export function badges(operation: DocumentedOperation): Html {
  const { 'x-stability': stability, 'x-sunset': sunset, deprecated } = operation;
  const sunsetDay = sunset !== undefined && /^\d{4}-\d{2}-\d{2}/.exec(sunset)?.[0];
  const marker = stability === 'beta' ? 'beta' : 'experimental';
  const name = stability && stability.slice(0, 1).toUpperCase() + stability.slice(1);
  return html`${name && stability !== 'stable' && html`<span class="badge ${marker}">${name}</span> `}${
    deprecated === true && html`<span class="badge deprecated">Deprecated</span> `
  }${
    sunset !== undefined &&
    html`<span class="badge sunset">Sunset ${sunsetDay ? html`<time datetime="${sunsetDay}">${sunsetDay}</time>` : sunset}</span>`
  }`;
}

/** Whether and how a caller must identify itself, and what its key must be allowed to do. */
function access(document: OpenApiDocument, operation: DocumentedOperation): Html {
  const alternatives = operation.security ?? [];
  if (alternatives.length === 0) return html`<p class="access">No API key needed.</p>`;
  const ways = alternatives.map((requirement) => {
    const names = Object.keys(requirement).map((name) => schemeName(document, name));
    return names.length === 0 ? 'none' : joined(names, ' and ');
  });
  const scopes = new Set(alternatives.flatMap((requirement) => Object.values(requirement).flat()));
  if (operation['x-scope'] !== undefined) scopes.add(operation['x-scope']);
  const needed = [...scopes].map((scope) => html`<code>${scope}</code>`);
  const scopeText = needed.length === 0 ? 'any key' : html`scope ${joined(needed, ', ')}`;
  return html`<p class="access"><span>Authentication</span> <a href="#${anchor('section', 'authentication')}">${joined(ways, ' or ')}</a>, ${scopeText}</p>`;
}

export function schemeName(document: OpenApiDocument, name: string): string {
  const scheme = document.components?.securitySchemes?.[name];
  const own = scheme && resolve(document, scheme);
  if (own?.type === 'http') return own.scheme === 'bearer' ? 'Bearer API key' : `HTTP ${own.scheme}`;
  return own?.type === 'apiKey' ? `API key (${own.in} ${own.name})` : name;
}

const PARAMETER_GROUPS = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Header parameters'],
  ['cookie', 'Cookies'],
] as const;

function parameters(document: OpenApiDocument, operation: DocumentedOperation): Fragment {
  return PARAMETER_GROUPS.map(([place, heading]) => {
    const group = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    return group.length > 0 && html`<h4>${heading}</h4>${valueTable(document, 'Name', group.map(asRow))}`;
  });
}

function requestBody(document: OpenApiDocument, operation: DocumentedOperation): Fragment {
  const body = operation.requestBody && resolve(document, operation.requestBody);
  if (!body) return undefined;
  const types = Object.keys(body.content ?? {}).map((type) => html`<code>${type}</code>`);
  const schema = Object.values(body.content ?? {})[0]?.schema;
  return html`<h4>Request body ${body.required === true && html`<span class="required">required</span>`}</h4>
<p class="media">${schema && html`<span class="type">${typeName(document, schema)}</span> as `}${joined(types, ' or ')}</p>
${markdown(body.description)}${schema && schemaTable(document, schema)}`;
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
    return html`<li>${codeName(name)} ${inlineMarkdown(resolve(document, header).description ?? '')}</li>`;
  });
  const shape = body?.schema && html` <span class="type">${typeName(document, body.schema)}</span>`;
  const media = type !== undefined && type !== 'application/json' && html` as <code>${type}</code>`;
  return html`<tr><th scope="row">${statusName(status)}${shape}${media}</th>
<td>${markdown(response.description)}${errorCodes(document, status, response)}${
    headers.length > 0 && html`<ul class="headers">${headers}</ul>`
  }</td></tr>`;
}

/** The responses: headers that all responses of the interface carry are told once, elsewhere. */
function responseTable(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  everywhere: Set<string>,
): Html {
  const responses = responsesOf(document, operation);
  const shared = headersInAll(
    document,
    responses.map(([, response]) => response),
  );
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
${errors.length > 0 && html`<details class="errors"><summary>Errors ${joined(statuses, ' ')}</summary>${tableOf(errors)}</details>`}
${own.length > 0 && html`<h4>Headers of each response</h4>${headerTable(document, own)}`}
${everywhere.size > 0 && html`<p class="note">Also the <a href="#${anchor('section', 'headers')}">headers of every response</a>.</p>`}`;
}

function responseExamples(document: OpenApiDocument, operation: DocumentedOperation): Fragment {
  const samples = responsesOf(document, operation).flatMap(([status, response]) => {
    const body = Object.values(response.content ?? {})[0];
    return body ? { status, example: exampleOf(document, body) } : [];
  });
  const first = samples.find(({ status }) => status.startsWith('2')) ?? samples[0];
  return first && codePanel(html`<span>Response</span> ${statusName(first.status)}`, jsonCode(first.example));
}

/** Everything a caller needs to know of one operation, with a request to copy and what it answers. */
export function operationSection(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  everywhere: Set<string>,
): Html {
  const { id, method, path, title, baseUrl } = operation;
  const basePath = URL.parse(baseUrl, 'http://relative.invalid')?.pathname.replace(/\/$/, '') ?? '';
  const command = curlCommand(document, operation);
  return html`<section class="split operation" id="${id}" aria-labelledby="${id}-title">
<div class="text">
<h3 id="${id}-title"><a class="self" href="#${id}">${title}</a></h3>
<p class="endpoint"><span class="verb v-${method.toLowerCase()}">${method}</span> <code><span class="base">${basePath}</span>${joined(path.split(/(?=\/)/), html`<wbr>`)}</code></p>
<p class="badges">${badges(operation)}</p>
${markdown(operation.description)}
${access(document, operation)}
${parameters(document, operation)}
${requestBody(document, operation)}
${responseTable(document, operation, everywhere)}
</div>
<div class="code">${codePanel('Request', shellCode(command))}${responseExamples(document, operation)}</div>
</section>
`;
}
