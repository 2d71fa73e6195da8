import type { DocumentedOperation, OpenApiDocument, Parameter } from './document.ts';
import { type Fragment, type Html, html, joined } from './html.ts';
import { exampleOf } from './schema.ts';

function highlighted(text: string, pattern: RegExp, kindOf: (match: RegExpExecArray) => string): Html {
  const parts: Fragment[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), html`<span class="${kindOf(match)}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}

const JSON_TOKEN = /("(?:\\.|[^"\\])*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

/** A value as indented JSON, its tokens marked for colour. */
export function jsonCode(value: unknown): Html {
  return highlighted(JSON.stringify(value, undefined, 2) ?? '', JSON_TOKEN, (match) => {
    if (match[1] === undefined) return 'literal';
    return match[2] === undefined ? 'string' : 'key';
  });
}

/** Header fields as they travel (RFC 9112), after a status line if there is one. */
export function headCode(fields: readonly (readonly [string, unknown])[], statusLine?: string): Html {
  const lines = fields.map(([name, value]) => html`<span class="key">${name}</span>: ${String(value)}`);
  return html`${joined(statusLine === undefined ? lines : [html`<span class="literal">${statusLine}</span>`, ...lines], '\n')}`;
}

const SHELL_TOKEN = /^curl|(?<=\s)-{1,2}[A-Za-z][\w-]*|'[^']*'|"[^"]*"/g;

export function shellCode(command: string): Html {
  const code = highlighted(command, SHELL_TOKEN, ([token]) => {
    if (token === 'curl') return 'literal';
    return token.startsWith('-') ? 'key' : 'string';
  });
  return html`<span class="shell">${code}</span>`;
}

/** A captioned block of code. Its lines wrap, so that it never needs to be scrolled sideways. */
export function codePanel(caption: Fragment, code: Html): Html {
  return html`<figure class="panel"><figcaption>${caption}</figcaption><pre><code>${code}</code></pre></figure>`;
}

/** In characters: what fits into the column of code on a common screen. */
const MAX_FIRST_LINE = 42;

/** Quotes a word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function exampleText(document: OpenApiDocument, parameter: Parameter): string {
  return String(exampleOf(document, parameter) ?? '');
}

/** A curl command that calls an operation with everything it requires, the key taken from `$API_KEY`. */
export function curlCommand(document: OpenApiDocument, operation: DocumentedOperation): string {
  const parameters = operation.parameters ?? [];
  const required = parameters.filter((parameter) => parameter.required === true);
  const path = operation.path.replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return parameter ? encodeURIComponent(exampleText(document, parameter)) : whole;
  });
  const query = new URLSearchParams(
    required
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => [parameter.name ?? '', exampleText(document, parameter)]),
  );
  const method =
    operation.method === 'GET' ? '' : operation.method === 'HEAD' ? ' --head' : ` -X ${operation.method}`;
  const url = `${operation.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
  const command = `curl${method}`;
  const isShort = command.length + url.length <= MAX_FIRST_LINE;
  const lines = isShort ? [`${command} ${quoted(url)}`] : [command, quoted(url)];
  if (operation.security?.length) lines.push(`-H "Authorization: Bearer $API_KEY"`);
  for (const parameter of required.filter((candidate) => candidate.in === 'header')) {
    lines.push(`-H ${quoted(`${parameter.name}: ${exampleText(document, parameter)}`)}`);
  }
  return lines.concat(bodyOptions(document, operation)).join(' \\\n  ');
}

function bodyOptions(document: OpenApiDocument, operation: DocumentedOperation): string[] {
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || body === undefined) return [];
  return [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(JSON.stringify(exampleOf(document, body)))}`];
}
