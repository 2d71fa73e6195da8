import { STATUS_CODES } from 'node:http';
import { codePanel, headCode, jsonCode } from './code.ts';
import {
  anchor,
  type Header,
  listErrorCodes,
  listOperations,
  type OpenApiDocument,
  type Response,
  resolve,
  serverUrl,
} from './document.ts';
import { codeName, type Fragment, type Html, html, inlineMarkdown, markdown } from './html.ts';
import {
  headersInAll,
  headerTable,
  type NamedHeader,
  responsesOf,
  schemeName,
  statusMark,
} from './operation.ts';
import { exampleOf, exampleOfSchema, typeName } from './schema.ts';

const ERROR_REFERENCE = '#/components/schemas/Error';

/** A part of the page that the navigation leads to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** A heading with text on the left and, where there is some, code on the right. */
export function section(id: string, title: string, text: Fragment, code?: Fragment): Section {
  const body = html`<section class="split" id="${id}" aria-labelledby="${id}-title">
<div class="text"><h2 id="${id}-title"><a class="self" href="#${id}">${title}</a></h2>
${text}</div>
${code !== undefined && code !== false && html`<div class="code">${code}</div>`}
</section>
`;
  return { id, title, body };
}

function servers(document: OpenApiDocument): Section | undefined {
  if (!document.servers?.length) return undefined;
  const rows = document.servers.map(
    (server) => html`<li><code>${serverUrl(server)}</code> ${inlineMarkdown(server.description ?? '')}</li>`,
  );
  return section(
    anchor('section', 'servers'),
    'Servers',
    html`<p>All paths on this page follow a server’s address.</p><ul class="servers">${rows}</ul>`,
  );
}

function authentication(document: OpenApiDocument): Section | undefined {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  if (schemes.length === 0) return undefined;
  const resolved = schemes.map(([name, scheme]) => ({ name, ...resolve(document, scheme) }));
  const text = resolved.map(
    ({ name, description }) =>
      html`<p><strong>${schemeName(document, name)}</strong></p>${markdown(description)}`,
  );
  const takesBearer = resolved.some(({ type, scheme }) => type === 'http' && scheme === 'bearer');
  const example = codePanel('Request header', headCode([['Authorization', 'Bearer <API_KEY>']]));
  return section(anchor('section', 'authentication'), 'Authentication', text, takesBearer && example);
}

function allResponses(document: OpenApiDocument): [string, Response][] {
  return listOperations(document).flatMap((operation) => responsesOf(document, operation));
}

/** The headers that every response of every operation carries. */
export function headersEverywhere(document: OpenApiDocument): NamedHeader[] {
  return headersInAll(
    document,
    allResponses(document).map(([, response]) => response),
  );
}

function errorTable(document: OpenApiDocument): Fragment {
  const rows = listErrorCodes(document).map(
    ({ code, status, meaning }) => html`<tr><th scope="row">${statusMark(String(status))}</th>
<td>${codeName(code)}</td><td>${inlineMarkdown(meaning ?? STATUS_CODES[status] ?? '')}</td></tr>`,
  );
  if (rows.length === 0) return undefined;
  return html`<table class="errors"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function errors(document: OpenApiDocument): Section | undefined {
  const schema = document.components?.schemas?.Error;
  const table = errorTable(document);
  if (!schema && !table) return undefined;
  const shape =
    schema && html`<p>An error’s body is always an ${typeName(document, { $ref: ERROR_REFERENCE })}.</p>`;
  return section(
    anchor('section', 'errors'),
    'Errors',
    [shape, table],
    schema && codePanel('Error body', jsonCode(exampleOfSchema(document, schema))),
  );
}

function planTable(document: OpenApiDocument): Fragment {
  const plans = Object.entries(document['x-limits']?.plans ?? {});
  if (plans.length === 0) return undefined;
  const amount = (count: number | null) =>
    html`<td>${count === null ? 'as agreed' : count.toLocaleString('en-US')}</td>`;
  const rows = plans.map(
    ([name, { perMinute, perDay }]) =>
      html`<tr><th scope="row">${name.slice(0, 1).toUpperCase() + name.slice(1)}</th>${amount(perMinute)}${amount(perDay)}</tr>`,
  );
  return html`<table class="plans"><thead><tr><th scope="col">Plan</th><th scope="col">Requests a minute</th><th scope="col">Requests a day</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function isLimitHeader([name]: [string, Header]): boolean {
  return /^(?:x-)?ratelimit|^retry-after$/i.test(name);
}

/** An example that the document gives itself; one made from a type alone would say nothing here. */
function givenExample(document: OpenApiDocument, header: Header): unknown {
  const { schema } = header;
  const isGiven = header.example ?? header.examples ?? schema?.example ?? schema?.examples;
  return isGiven === undefined ? undefined : exampleOf(document, header);
}

function limits(document: OpenApiDocument): Section | undefined {
  const refusal = allResponses(document).find(([status]) => status === '429')?.[1];
  const headers = Object.entries(refusal?.headers ?? {})
    .filter(isLimitHeader)
    .map(([name, header]) => ({ ...resolve(document, header), name }));
  const plans = planTable(document);
  if (!plans && headers.length === 0) return undefined;
  const fields = headers
    .map((header) => [header.name, givenExample(document, header)] as const)
    .filter(([, example]) => example !== undefined);
  return section(
    anchor('section', 'limits'),
    'Rate limits',
    [
      markdown(document['x-limits']?.description),
      plans,
      headers.length > 0 && html`<h3>Headers of a refusal</h3>${headerTable(document, headers)}`,
    ],
    fields.length > 0 && codePanel('Over the limit', headCode(fields, 'HTTP/1.1 429 Too Many Requests')),
  );
}

function commonHeaders(document: OpenApiDocument): Section | undefined {
  const headers = headersEverywhere(document);
  if (headers.length === 0) return undefined;
  const text = html`<p>Every response carries these, errors included.</p>${headerTable(document, headers)}`;
  return section(anchor('section', 'headers'), 'Response headers', text);
}

/** What holds for all operations: where they are, who may call them, how they refuse, and how often they answer. */
export function generalSections(document: OpenApiDocument): Section[] {
  return [servers, authentication, errors, limits, commonHeaders].flatMap((make) => make(document) ?? []);
}
