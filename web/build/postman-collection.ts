import { readFileSync } from 'node:fs';
import { type ListedOperation, type OpenApiDocument, operationsOf } from '../src/docs/document.ts';
import { callOf } from '../src/docs/reference/samples/call.ts';
import { repositoryFile } from './guides.ts';

const GUID = '{{$guid}}';

/** What a request remembers of its response, for the requests behind it: a variable and the member that it gets. */
const REMEMBERED: Readonly<Record<string, readonly [variable: string, member: string]>> = {
  adjustInventory: ['sequence', 'sequence'],
  placeOrder: ['orderId', 'orderId'],
  createWebhookEndpoint: ['endpointId', 'endpoint.id'],
};

/** Queries whose sample names what a new shop does not have. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listMovements: { after: '0', limit: '100' },
  streamMovements: { after: '0' },
  replayWebhookEvents: { after: '0.0' },
};

/**
 * The orders of requests that depend on one another, where it is not that of the document. An order is delivered and
 * returned, another one is cancelled.
 */
const SEQUENCES: Readonly<Record<string, readonly string[]>> = {
  Orders: [
    ...['listOrders', 'placeOrder', 'getOrder', 'approveOrder', 'deliverOrder', 'returnOrder'],
    ...['placeOrder', 'cancelOrder'],
  ],
  Webhooks: [
    ...['listWebhookEndpoints', 'createWebhookEndpoint', 'getWebhookEndpoint', 'updateWebhookEndpoint'],
    ...['rotateWebhookSecret', 'pauseWebhookEndpoint', 'resumeWebhookEndpoint', 'testWebhookEndpoint'],
    ...['replayWebhookEvents', 'listWebhookDeliveries', 'deleteWebhookEndpoint'],
  ],
};

/**
 * The operations of clients as a Postman collection (v2.1), which Bruno and Insomnia import too. Sent from top to bottom
 * every request succeeds in the sample shop, because later ones use what earlier ones made.
 */
export function postmanCollection(): string {
  const document = JSON.parse(readFileSync(repositoryFile('openapi.json'), 'utf8')) as OpenApiDocument;
  document.servers = [{ url: '{{baseUrl}}' }];
  const operations = operationsOf(document);
  const folders = document.tags.map(({ name, description }) => {
    const listed = operations.filter(({ operation }) => operation.tags.includes(name));
    const byId = new Map(listed.map((one) => [one.operation.operationId, one]));
    const sequence = SEQUENCES[name] ?? [...byId.keys()];
    const rest = [...byId.keys()].filter((id) => !sequence.includes(id));
    const items = [...sequence, ...rest].map((id) => itemOf(document, byId.get(id) as ListedOperation));
    return { name, description, item: items };
  });
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
      { key: 'petId', value: '7' },
      ...Object.values(REMEMBERED).map(([key]) => ({ key, value: '' })),
    ],
    item: folders,
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

function itemOf(document: OpenApiDocument, listed: ListedOperation) {
  const { operationId, description } = listed.operation;
  const { method, headers, body, query } = callOf(document, listed);
  const search = new URLSearchParams(QUERIES[operationId] ?? query).toString();
  const path = listed.path.replaceAll(/\{(\w+)\}/g, '{{$1}}');
  const url = `{{baseUrl}}${path}${search && `?${search}`}`;
  const script = scriptOf(operationId);
  return {
    name: operationId,
    ...(script !== undefined && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: [script] } }],
    }),
    request: {
      method,
      description,
      // A key belongs to one request: the same key with another body would be refused.
      header: Object.entries(headers).map(([key, value]) => ({
        key,
        value: key === 'Idempotency-Key' ? GUID : value,
      })),
      url: { raw: url, ...partsOf(url) },
      ...(body && { body: { mode: 'raw', raw: JSON.stringify(body, undefined, 2) } }),
    },
  };
}

function scriptOf(operationId: string): string | undefined {
  const [variable, member] = REMEMBERED[operationId] ?? [];
  if (variable === undefined) return undefined;
  return `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', String(pm.response.json().${member}));`;
}

function partsOf(url: string) {
  const [path = '', query = ''] = url.split('?');
  const [host = '', ...segments] = path.split('/');
  const fields = [...new URLSearchParams(query)].map(([key, value]) => ({ key, value }));
  return { host: [host], path: segments, ...(fields.length > 0 && { query: fields }) };
}
