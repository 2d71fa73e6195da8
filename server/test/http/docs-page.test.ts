import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { OpenApiDocument, Operation } from '../../src/http/docs/document.ts';
import { renderDocs } from '../../src/http/docs/page.ts';

const DOCS_STYLE = readFileSync(new URL('../../src/http/docs/style.css', import.meta.url), 'utf8');

const error = { $ref: '#/components/schemas/Error' };
const item = { $ref: '#/components/schemas/InventoryItem' };
const everyResponse = { 'X-Request-Id': { schema: { type: 'string' }, description: 'Names this request.' } };

function json(description: string, schema: object) {
  return { description, headers: everyResponse, content: { 'application/json': { schema } } };
}

const refusals = {
  '401': json('The API key is missing or invalid.', error),
  '429': {
    ...json('Over a limit.', error),
    headers: { ...everyResponse, 'Retry-After': { schema: { type: 'integer' }, example: 17 } },
  },
};

const petIdParameter = {
  name: 'petId',
  in: 'path',
  required: true,
  schema: { type: 'integer', format: 'int64' },
  example: 7,
};

const document = {
  info: {
    title: 'Pet Store Inventory',
    version: '1.0.0',
    description: 'Stock, with `petId` and **care**.\n\n- one\n- two',
  },
  servers: [{ url: 'https://api.example.com/v1', description: 'Production' }],
  security: [{ apiKey: [] }],
  paths: {
    '/inventory': {
      get: {
        operationId: 'listInventory',
        tags: ['Inventory'],
        summary: 'List inventory',
        responses: { '200': json('All entries.', { type: 'array', items: item }), ...refusals },
      },
    },
    '/inventory/{petId}': {
      parameters: [petIdParameter],
      patch: {
        operationId: 'updateInventory',
        tags: ['Inventory'],
        summary: 'Update stock level',
        'x-stability': 'experimental',
        'x-scope': 'inventory:write',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/InventoryUpdate' } } },
        },
        responses: { '200': json('The updated entry.', item), ...refusals },
      },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        deprecated: true,
        'x-sunset': '2027-06-30',
        parameters: [petIdParameter],
        responses: { '200': json('The pet.', { type: 'object' }), ...refusals },
      },
    },
    '/rate-limit': {
      get: {
        operationId: 'getRateLimit',
        'x-stability': 'beta',
        responses: { '200': json('Both windows.', {}), ...refusals },
      },
    },
  },
  components: {
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Your API key.' } },
    schemas: {
      PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
      InventoryItem: {
        type: 'object',
        required: ['petId'],
        properties: {
          petId: { type: 'integer', format: 'int64', maximum: 2 ** 63, example: 7 },
          quantity: { type: 'integer', minimum: 0, maximum: 9007199254740991, example: 12 },
          status: { $ref: '#/components/schemas/PetStatus' },
        },
      },
      InventoryUpdate: {
        type: 'object',
        required: ['quantity'],
        properties: { quantity: { type: 'integer', minimum: 0, example: 5 } },
      },
      Error: { type: 'object', properties: { code: { type: 'string', example: 'not_found' } } },
    },
  },
  'x-error-codes': {
    not_found: { status: 404, meaning: 'There is no such pet.' },
    invalid_api_key: 401,
    rate_limit_exceeded: { status: 429, meaning: 'Wait for the minute to end.' },
  },
  'x-limits': {
    plans: { free: { perMinute: 60, perDay: 1000 }, enterprise: { perMinute: null, perDay: null } },
  },
} satisfies OpenApiDocument;

const VOID_ELEMENTS = new Set(['meta', 'link', 'img', 'wbr']);

/** Reads the tags of a page, and fails where one is not closed in its turn. */
function readTags(page: string): { name: string; attributes: ReadonlyMap<string, string> }[] {
  const open: string[] = [];
  const tags = [...page.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/g)].flatMap(
    ([, slash, name = '', text = '']) => {
      if (slash === '/') {
        assert.equal(open.pop(), name);
        return [];
      }
      if (!VOID_ELEMENTS.has(name)) open.push(name);
      const attributes = [...text.matchAll(/([a-z-]+)="([^"]*)"/g)].map(
        ([, key, value]) => [key, value] as [string, string],
      );
      return { name, attributes: new Map(attributes) };
    },
  );
  assert.deepEqual(open, []);
  return tags;
}

function attributeValues(page: string, attribute: string): string[] {
  return readTags(page).flatMap(({ attributes }) => attributes.get(attribute) ?? []);
}

function textOf(page: string): string {
  return page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The document with a text in every place that a text can stand. */
function withHostileText(hostile: string): OpenApiDocument {
  const schema = {
    type: 'string',
    description: hostile,
    enum: [hostile],
    pattern: hostile,
    example: hostile,
  };
  const parameters = ['path', 'query', 'header'].map((place) => {
    return { name: hostile, in: place, required: true, description: hostile, schema };
  });
  const operation: Operation = {
    operationId: hostile,
    summary: hostile,
    description: hostile,
    tags: [hostile],
    parameters,
    'x-stability': hostile,
    'x-sunset': hostile,
    'x-scope': hostile,
    requestBody: { description: hostile, content: { [hostile]: { schema } } },
    responses: {
      [hostile]: {
        description: hostile,
        content: { [hostile]: { schema, example: { [hostile]: hostile } } },
      },
    },
  };
  return {
    info: { title: hostile, version: hostile, description: hostile, license: { name: hostile } },
    servers: [{ url: hostile, description: hostile }],
    tags: [{ name: hostile, description: hostile }],
    paths: { [`/${hostile}/{x}`]: { get: operation } },
    security: [{ [hostile]: [hostile] }],
    components: {
      schemas: { [hostile]: { type: 'object', properties: { [hostile]: schema } } },
      securitySchemes: { [hostile]: { type: hostile, description: hostile } },
    },
    'x-error-codes': { [hostile]: { status: 400, meaning: hostile } },
    'x-limits': { description: hostile, plans: { [hostile]: { perMinute: 1, perDay: null } } },
  };
}

describe('the reference page', () => {
  const page = renderDocs(document);
  const text = textOf(page);
  const ids = attributeValues(page, 'id');

  test('shows every operation with its method, path, and a section of its own', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!('operationId' in operation)) continue;
        assert.ok(ids.includes(operation.operationId), operation.operationId);
        assert.match(page, new RegExp(`<span class="verb v-${method}">${method.toUpperCase()}</span>`));
        assert.ok(text.includes(`/v1${path}`), path);
      }
    }
  });

  test('shows every schema, error code and plan', () => {
    for (const name of Object.keys(document.components.schemas))
      assert.ok(ids.includes(`schema-${name}`), name);
    for (const code of Object.keys(document['x-error-codes'])) assert.ok(text.includes(code), code);
    assert.match(text, /Free601,000/);
    assert.match(text, /Enterpriseas agreedas agreed/);
  });

  test('says what is experimental, beta and deprecated, and when it ends', () => {
    for (const marker of ['experimental">Experimental', 'beta">Beta', 'deprecated">Deprecated']) {
      assert.ok(page.includes(`<span class="badge ${marker}</span>`), marker);
    }
    assert.match(page, /Sunset <time datetime="2027-06-30">2027-06-30<\/time>/);
    assert.match(text, /scope inventory:write/);
  });

  test('gives a command that can be run, and an answer made from the schemas', () => {
    assert.ok(
      text.includes(
        [
          'curl -X PATCH \\',
          "'https://api.example.com/v1/inventory/7' \\",
          '-H "Authorization: Bearer $API_KEY" \\',
          "-H 'Content-Type: application/json' \\",
          `-d '{"quantity":5}'`,
        ].join('\n  '),
      ),
    );
    assert.ok(text.includes(JSON.stringify([{ petId: 7, quantity: 12, status: 'available' }], undefined, 2)));
    assert.ok(text.includes('Retry-After: 17'));
  });

  test('shows bounds exactly, and none that a JavaScript number would falsify', () => {
    assert.match(text, /at most 9007199254740991/);
    assert.doesNotMatch(text, /9223372036854775/);
  });

  test('loads nothing but its own style sheet and inline images', () => {
    const loaded = readTags(page).filter(({ name }) =>
      ['link', 'img', 'script', 'style', 'iframe'].includes(name),
    );
    const addresses = loaded.map(({ attributes }) => attributes.get('src') ?? attributes.get('href') ?? '');
    assert.deepEqual(
      addresses.filter((address) => !address.startsWith('data:')),
      ['docs/style.css'],
    );
    assert.doesNotMatch(page, /<script|<style|\sstyle=|\son[a-z]+=/i);
    assert.doesNotMatch(DOCS_STYLE, /url\(|@import|https?:/);
  });

  test('has one h1 and skips no level of heading', () => {
    const levels = readTags(page).flatMap(({ name }) => (/^h[1-6]$/.test(name) ? Number(name.slice(1)) : []));
    assert.deepEqual(
      levels.filter((level) => level === 1),
      [1],
    );
    levels.reduce((previous, level) => {
      assert.ok(level <= previous + 1, `h${level} after h${previous}`);
      return level;
    }, 0);
  });

  test('has unique ids, and every link within it leads somewhere', () => {
    assert.equal(new Set(ids).size, ids.length);
    const targets = [
      ...attributeValues(page, 'href').flatMap((href) => (href.startsWith('#') ? href.slice(1) : [])),
      ...attributeValues(page, 'aria-labelledby'),
    ];
    assert.ok(targets.length > 20);
    assert.deepEqual(
      targets.filter((target) => !ids.includes(target)),
      [],
    );
  });
});

describe('hostile text in the document', () => {
  for (const hostile of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '`<b>` **<i>x</i>** [<u>x</u>](https://a.example/"onclick="x)',
    '</code></pre></section><h1>',
    '&lt;b&gt; &amp;',
  ]) {
    test(`is only ever text: ${hostile}`, () => {
      const page = renderDocs(withHostileText(hostile));
      const tags = readTags(page);
      const foreign = tags.filter(({ name }) => ['script', 'b', 'i', 'u'].includes(name));
      assert.deepEqual(foreign, []);
      const handlers = tags.flatMap(({ attributes }) =>
        [...attributes.keys()].filter((key) => key.startsWith('on')),
      );
      assert.deepEqual(handlers, []);
      assert.equal(tags.filter(({ name }) => name === 'h1').length, 1);
      assert.equal(tags.filter(({ name }) => name === 'img').length, 1);
      // Every "<" that is not one of the tags read above would be markup that slipped through.
      const stray = page.replace(/<!DOCTYPE html>|<\/?[a-z][a-z0-9]*(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*>/g, '');
      assert.doesNotMatch(stray, /</);
    });
  }

  test('makes no link that would run a script or leave for another scheme', () => {
    const targets = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'vbscript:x',
    ];
    const description = targets.map((target) => `[click](${target})`).join(' ');
    const page = renderDocs({ ...document, info: { ...document.info, description } });
    const links = readTags(page).filter(({ name }) => name === 'a');
    for (const { attributes } of links) assert.match(attributes.get('href') ?? '', /^(?:#|openapi\.json$)/);
  });

  test('cannot leave the quotes of the shell command', () => {
    const example = "'; touch owned; '";
    const patch = document.paths['/inventory/{petId}'].patch;
    const content = { 'application/json': { schema: {}, example: { note: example } } };
    const paths = { '/inventory': { patch: { ...patch, requestBody: { content } } } };
    assert.ok(
      textOf(renderDocs({ ...document, paths })).includes(`-d '{"note":"'\\''; touch owned; '\\''"}'`),
    );
  });
});

describe('an unusual document', () => {
  test('with a schema that holds itself, and a reference to nothing, still makes a page', () => {
    const tree = { $ref: '#/components/schemas/Tree' };
    const lost = { $ref: '#/components/schemas/Lost' };
    const schemas = {
      Tree: { type: 'object', properties: { children: { type: 'array', items: tree }, lost } },
      Loop: { $ref: '#/components/schemas/Loop' },
      Nullable: { anyOf: [tree, { type: 'null' }] },
      Whole: { allOf: [tree, { properties: { extra: { type: ['string', 'null'], maxLength: 3 } } }] },
    };
    const page = renderDocs({ info: { title: 'Odd', version: '1' }, components: { schemas } });
    const text = textOf(page);
    assert.match(text, /array of Tree/);
    assert.match(text, /Tree or null/);
    assert.match(text, /string or null/);
    assert.ok(!attributeValues(page, 'href').includes('#schema-Lost'));
  });

  test('with nothing in it is a page with a title', () => {
    const page = renderDocs({ info: { title: 'Empty', version: '0' } });
    assert.match(page, /<title>Empty API reference<\/title>/);
    readTags(page);
  });
});
