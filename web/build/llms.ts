import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Plugin } from 'vite';
import { type OpenApiDocument, operationsOf } from '../src/docs/document.ts';
import { COLLECTIONS, GUIDES, guideName, repositoryFile, servedAddress } from './guides.ts';

/** Writes `llms.txt` and `llms-full.txt` (llmstxt.org), the documentation for programs that read text, and the collections of requests. */
export function llmsTexts(): Plugin {
  return {
    name: 'llms-texts',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'llms.txt', source: llmsText() });
      this.emitFile({ type: 'asset', fileName: 'llms-full.txt', source: llmsFullText() });
      for (const path of COLLECTIONS) {
        const source = readFileSync(repositoryFile(path));
        this.emitFile({ type: 'asset', fileName: basename(path), source });
      }
    },
  };
}

/** A list of the guides and operations, with their addresses. */
export function llmsText(): string {
  const document = JSON.parse(readFileSync(repositoryFile('openapi.json'), 'utf8')) as OpenApiDocument;
  const guides = GUIDES.map((path) => {
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(repositoryFile(path), 'utf8')) ?? [];
    return `- [${title}](docs/${guideName(path)})`;
  });
  const operations = operationsOf(document).map(
    ({ method, path, operation: { operationId, summary } }) =>
      `- [${operationId}](docs/reference#${operationId}): ${method} /v1${path}. ${summary}.`,
  );
  return `# ${document.info.title}

> A stock service over HTTP with JSON: exact limits, a ledger behind every number, orders, webhooks.

- [All guides as one text](llms-full.txt)
- [OpenAPI document](openapi.json): every operation, schema and error code
- [OpenAPI document of the management API](admin/openapi.json)

## Guides

${guides.join('\n')}

## Operations

${operations.join('\n')}
`;
}

const COMMENT = /<!--[^>]*-->\n*/g;
const LINK = /(!?)\[([^[\]]*)\]\(([^()\s]+)\)/g;

/** All guides, with links to what the service has. What only the repository has, and a picture, is its label. */
export function llmsFullText(): string {
  return GUIDES.map((path) =>
    readFileSync(repositoryFile(path), 'utf8')
      .replaceAll(COMMENT, '')
      .replaceAll(LINK, (_, mark: string, label: string, target: string) => {
        const address = mark === '' ? servedAddress(target, path) : undefined;
        return address === undefined ? label : `[${label}](${address})`;
      }),
  ).join('\n\n');
}
