import { readFileSync } from 'node:fs';
import { type OpenApiDocument, operationsOf } from '../src/docs/document.ts';
import { callOf } from '../src/docs/samples/call.ts';
import { repositoryFile } from './guides.ts';

/** The operations of clients as a Postman collection (v2.1), which Bruno and Insomnia import too. */
export function postmanCollection(): string {
  const document = JSON.parse(readFileSync(repositoryFile('openapi.json'), 'utf8')) as OpenApiDocument;
  document.servers = [{ url: '{{baseUrl}}' }];
  const operations = operationsOf(document);
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map((listed) => {
        const { method, url, headers, body } = callOf(document, listed);
        return {
          name: listed.operation.operationId,
          request: {
            method,
            description: listed.operation.description,
            header: Object.entries(headers).map(([key, value]) => ({ key, value })),
            url: { raw: url, ...partsOf(url) },
            ...(body && { body: { mode: 'raw', raw: JSON.stringify(body, undefined, 2) } }),
          },
        };
      }),
  }));
  const collection = {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:8080/v1' },
      { key: 'apiKey', value: '' },
    ],
    item: folders,
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

function partsOf(url: string) {
  const [path = '', query = ''] = url.split('?');
  const [host = '', ...segments] = path.split('/');
  const fields = [...new URLSearchParams(query)].map(([key, value]) => ({ key, value }));
  return { host: [host], path: segments, ...(fields.length > 0 && { query: fields }) };
}
