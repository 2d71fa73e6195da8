import { codePanel, headCode, jsonCode } from './code.ts';
import {
  anchor,
  type DocumentedOperation,
  listErrorCodes,
  type OpenApiDocument,
  resolve,
  type Schema,
} from './document.ts';
import { codeName, type Fragment, type Html, html, inlineMarkdown, markdown } from './html.ts';
import { capitalized, headersInAll, headerTable, type NamedHeader, statusMark } from './operation.ts';
import { exampleOf, exampleOfSchema, typeName } from './schema.ts';

const ERROR: Schema = { $ref: '#/components/schemas/Error' };

/** A part of the page that the navigation links to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** A heading with text on the left, and code on the right if there is some. */
function section(name: string, title: string, text: Fragment, code?: Fragment): Section {
  const id = anchor('section', name);
  const body = html`<section class="split" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h2 id="${id}-title"><a class="self" href="#${id}">${title}</a></h2>
${text}</div>
${code !== undefined && html`<div class="code">${code}</div>`}
</section>
`;
  return { id, title, body };
}

function servers(document: OpenApiDocument): Section {
  const rows = document.servers.map(
    ({ url, description }) => html`<li><code>${url}</code> ${inlineMarkdown(description)}</li>`,
  );
  const text = html`<p>All paths on this page follow a server’s address.</p><ul class="servers">${rows}</ul>`;
  return section('servers', 'Servers', text);
}

function authentication(document: OpenApiDocument): Section {
  const { description } = document.components.securitySchemes.apiKey;
  const text = html`<p><strong>Bearer API key</strong></p>${markdown(description)}`;
  const example = codePanel('Request header', headCode([['Authorization', 'Bearer <API_KEY>']]));
  return section('authentication', 'Authentication', text, example);
}

function errors(document: OpenApiDocument): Section {
  const rows = listErrorCodes(document).map(
    ({ code, status, meaning }) => html`<tr><th scope="row">${statusMark(String(status))}</th>
<td>${codeName(code)}</td><td>${inlineMarkdown(meaning)}</td></tr>`,
  );
  const text = html`<p>An error’s body is always an ${typeName(ERROR)}.</p><table class="errors"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  return section(
    'errors',
    'Errors',
    text,
    codePanel('Error body', jsonCode(exampleOfSchema(document, ERROR))),
  );
}

function planTable(document: OpenApiDocument): Html {
  const amount = (count: number | null) =>
    html`<td>${count === null ? 'as agreed' : count.toLocaleString('en-US')}</td>`;
  const rows = Object.entries(document['x-limits'].plans).map(
    ([name, { perMinute, perDay }]) =>
      html`<tr><th scope="row">${capitalized(name)}</th>${amount(perMinute)}${amount(perDay)}</tr>`,
  );
  return html`<table class="plans"><thead><tr><th scope="col">Plan</th><th scope="col">Requests per minute</th><th scope="col">Requests per day</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

const LIMIT_HEADER = /^(?:x-)?ratelimit|^retry-after$/i;

function limits(document: OpenApiDocument, first: DocumentedOperation): Section {
  const headers = Object.entries(first.responses['429']?.headers ?? {})
    .filter(([name]) => LIMIT_HEADER.test(name))
    .map(([name, header]) => ({ ...resolve(document.components.headers, header), name }));
  const fields = headers.map((header) => [header.name, exampleOf(document, header)] as const);
  return section(
    'limits',
    'Rate limits',
    [
      markdown(document['x-limits'].description),
      planTable(document),
      html`<h3>Headers of a refusal</h3>${headerTable(document, headers)}`,
    ],
    codePanel('Over the limit', headCode(fields, 'HTTP/1.1 429 Too Many Requests')),
  );
}

/** The headers that every response of every operation has. */
export function headersEverywhere(
  document: OpenApiDocument,
  operations: readonly DocumentedOperation[],
): NamedHeader[] {
  return headersInAll(
    document,
    operations.flatMap(({ responses }) => Object.values(responses)),
  );
}

function commonHeaders(document: OpenApiDocument, headers: readonly NamedHeader[]): Section {
  const text = html`<p>Every response has these, errors included.</p>${headerTable(document, headers)}`;
  return section('headers', 'Response headers', text);
}

/** The sections about all operations. */
export function generalSections(
  document: OpenApiDocument,
  first: DocumentedOperation,
  everywhere: readonly NamedHeader[],
): Section[] {
  return [
    servers(document),
    authentication(document),
    errors(document),
    limits(document, first),
    commonHeaders(document, everywhere),
  ];
}
