import type { DocumentedOperation, OpenApiDocument } from './document.ts';
import { type Fragment, type Html, html, joined } from './html.ts';
import { exampleOf, exampleOfSchema } from './schema.ts';

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

/** Header fields as in an HTTP/1.1 message (RFC 9112), after a status line if there is one. */
export function headCode(fields: readonly (readonly [string, unknown])[], statusLine?: string): Html {
  const lines = fields.map(([name, value]) => html`<span class="key">${name}</span>: ${String(value)}`);
  const start = statusLine === undefined ? [] : [html`<span class="literal">${statusLine}</span>`];
  return html`${joined([...start, ...lines], '\n')}`;
}

/** Server-sent events (WHATWG HTML standard, section 9.2), the names of their fields marked for colour. */
export function eventCode(events: string): Html {
  return highlighted(events.trimEnd(), /^[a-z]+(?=:)/gm, () => 'key');
}

const SHELL_TOKEN = /^curl|(?<=\s)-{1,2}[A-Za-z][\w-]*|'[^']*'|"[^"]*"/g;

export function shellCode(command: string): Html {
  const code = highlighted(command, SHELL_TOKEN, ([token]) => {
    if (token === 'curl') return 'literal';
    return token.startsWith('-') ? 'key' : 'string';
  });
  return html`<span class="shell">${code}</span>`;
}

/** A captioned block of code. Its lines wrap, so it never scrolls sideways. */
export function codePanel(caption: Fragment, code: Html): Html {
  return html`<figure class="panel"><figcaption>${caption}</figcaption><pre><code>${code}</code></pre></figure>`;
}

/** Quotes a word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A curl command that calls an operation with everything it requires, and the key from `$KEY`. */
export function curlCommand(document: OpenApiDocument, operation: DocumentedOperation): string {
  const { method, path, parameters, requestBody } = operation;
  const filledPath = path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return String(exampleOf(document, parameter ?? {}));
  });
  const lines = [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    quoted(`${document.servers[0]?.url}${filledPath}`),
    '-H "Authorization: Bearer $KEY"',
  ];
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type !== undefined && body !== undefined) {
    const json = JSON.stringify(exampleOfSchema(document, body.schema));
    lines.push(`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(json)}`);
  }
  return lines.join(' \\\n  ');
}
