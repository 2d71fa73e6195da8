import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { OpenApiDocument } from '../../src/http/docs/document.ts';
import { renderDocs } from '../../src/http/docs/page.ts';

const DOCS_STYLE = readFileSync(new URL('../../src/http/docs/style.css', import.meta.url), 'utf8');
const DOCUMENT_JSON = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
const document: OpenApiDocument = JSON.parse(DOCUMENT_JSON);

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

/** Members of the document that the page shows as text, and whose values are free text. */
const TEXT_MEMBERS = new Set([
  ...['title', 'version', 'description', 'summary', 'meaning', 'example', 'pattern', 'default', 'const'],
  ...['name', 'url', 'x-scope', 'x-stability', 'x-sunset'],
]);

/** Our document with `hostile` instead of every text. */
function withHostileText(hostile: string): OpenApiDocument {
  return JSON.parse(DOCUMENT_JSON, (key, value) =>
    typeof value === 'string' && TEXT_MEMBERS.has(key) ? hostile : value,
  );
}

/** The text of an operation's section. */
function sectionOf(page: string, operationId: string): string {
  const start = page.indexOf(`<section class="split operation" id="${operationId}"`);
  return textOf(page.slice(start, page.indexOf('</section>', start)));
}

describe('the reference page', () => {
  const page = renderDocs(document);
  const text = textOf(page);
  const ids = attributeValues(page, 'id');

  test('shows every operation with its method, path, and its own section', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        assert.ok(ids.includes(operation.operationId), operation.operationId);
        const section = sectionOf(page, operation.operationId);
        assert.ok(section.includes(`${method.toUpperCase()} /v1${path}`), path);
      }
    }
  });

  test('shows every schema, error code and plan', () => {
    for (const name of Object.keys(document.components.schemas)) {
      assert.ok(ids.includes(`schema-${name}`), name);
    }
    for (const code of Object.keys(document['x-error-codes'])) assert.ok(text.includes(code), code);
    assert.match(text, /Free601,000/);
    assert.match(text, /Enterpriseas agreedas agreed/);
  });

  test('marks operations as experimental, beta and deprecated, with its sunset', () => {
    for (const marker of ['experimental">Experimental', 'beta">Beta', 'deprecated">Deprecated']) {
      assert.ok(page.includes(`<span class="badge ${marker}</span>`), marker);
    }
    assert.match(page, /Sunset <time datetime="2027-12-31">2027-12-31<\/time>/);
    assert.match(sectionOf(page, 'updateInventory'), /scope inventory:write/);
    assert.match(sectionOf(page, 'getRateLimit'), /any key/);
  });

  test('has a command that a shell can run, and a response composed of the examples', () => {
    const section = sectionOf(page, 'updateInventory');
    const command = [
      'curl -X PATCH \\',
      "'http://localhost:8080/v1/inventory/7' \\",
      '-H "Authorization: Bearer $KEY" \\',
      "-H 'Content-Type: application/json' \\",
      "-d '{",
    ];
    assert.ok(section.includes(command.join('\n  ')), section);
    const list = [{ petId: 7, quantity: 12, status: 'available' }];
    assert.ok(sectionOf(page, 'listInventory').includes(JSON.stringify(list, undefined, 2)));
  });

  test('shows a 429 whose headers agree with each other', () => {
    const panel = text.slice(text.indexOf('HTTP/1.1 429 Too Many Requests'));
    const headerValue = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(panel)?.[1] ?? '';
    assert.equal(headerValue('X-RateLimit-Remaining'), '0');
    const wait = headerValue('Retry-After');
    assert.match(headerValue('RateLimit'), new RegExp(`^"minute";r=0;t=${wait}, "day"`));
    const [, toMidnight] = /"day";r=\d+;t=(\d+)/.exec(headerValue('RateLimit')) ?? [];
    const now = Number(headerValue('X-RateLimit-Reset')) - Number(wait);
    assert.equal((now + Number(toMidnight)) % 86_400, 0);
  });

  test('shows a batch and the result of the same changes', () => {
    const section = sectionOf(page, 'batchInventory');
    const { changes, dryRun } = JSON.parse(/-d '(.*)'/.exec(section)?.[1] ?? '');
    const result = JSON.parse(section.slice(section.indexOf('200 OK{') + '200 OK'.length));
    assert.equal(result.dryRun, dryRun);
    for (const [i, { petId, delta, quantity }] of changes.entries()) {
      const { before, after } = result.rows[i];
      assert.equal(result.rows[i].petId, petId);
      assert.equal(after.quantity, delta === undefined ? quantity : before.quantity + delta);
    }
    assert.equal(result.rows.length, changes.length);
  });

  test('shows the stream as events, each in its lines', () => {
    const section = sectionOf(page, 'streamMovements');
    const [, id, data] =
      /\n\nid: (\d+)\nevent: movement\ndata: (\{"sequence":.*"hash":.*\})\s*$/.exec(section) ?? [];
    const { Movement } = document.components.schemas;
    assert.deepEqual(Object.keys(JSON.parse(data ?? '')), Object.keys(Movement?.properties ?? {}));
    assert.equal(JSON.parse(data ?? '').sequence, Number(id));
    assert.match(section, /id: 42\nevent: movement\ndata: \{"sequence":42,"petId":7,…\}/);
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
    test(`is always rendered as text: ${hostile}`, () => {
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

  test('cannot leave the quotes of the shell command', () => {
    const url = "http://shop.example/'; touch owned; '";
    const page = renderDocs({ ...document, servers: [{ url, description: '' }] });
    const quoted = "'http://shop.example/'\\''; touch owned; '\\''/inventory'";
    assert.ok(sectionOf(page, 'listInventory').includes(quoted));
  });
});
