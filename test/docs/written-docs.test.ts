import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { errorsPage } from '../../scripts/errors-page.ts';
import { SCOPES } from '../../server/src/domain/access/api-key.ts';
import { ERROR_STATUS } from '../../server/src/domain/errors.ts';
import { startApp } from '../../server/test/support/harness.ts';
import { DOCUMENT, operationsIn } from '../../server/test/support/openapi-document.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import { guidesHtml } from '../../web/build/guide-html.ts';
import { readGuides, repositoryFile } from '../../web/build/guides.ts';
import { llmsFullText, llmsText } from '../../web/build/llms.ts';
import { postmanCollection } from '../../web/build/postman-collection.ts';

const ADDRESSES = { ofHeading: (slug: string) => `#page/${slug}`, ofPicture: (path: string) => `/${path}` };
const OPERATIONS = operationsIn(DOCUMENT).map(({ operation }) => operation.operationId);

interface CollectionItem {
  readonly name: string;
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
}

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly item: readonly CollectionItem[] }[];
}

test('the written pages are what npm run openapi writes', () => {
  assert.equal(readFileSync(repositoryFile('docs/errors.md'), 'utf8'), errorsPage());
  const collection = readFileSync(repositoryFile('docs/petstore.postman_collection.json'), 'utf8');
  assert.equal(collection, postmanCollection());
});

test('docs/errors.md has each error code', () => {
  const headings = [...errorsPage().matchAll(/^## (\S+)$/gm)].map(([, code]) => code);
  assert.deepEqual(headings, Object.keys(ERROR_STATUS));
});

test('the quick start has each scope of a key in its table', () => {
  const text = readFileSync(repositoryFile('docs/quick-start.md'), 'utf8');
  const [, table = ''] = /^\| scope \| operations \|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const named = [...table.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, scope]) => scope);
  assert.deepEqual(named.toSorted(), SCOPES.toSorted());
});

test('the collection of requests has each operation', () => {
  const { item } = JSON.parse(postmanCollection()) as Collection;
  const names = item.flatMap((folder) => folder.item.map(({ name }) => name));
  assert.deepEqual([...new Set(names)].toSorted(), OPERATIONS.toSorted());
});

test('every request of the collection succeeds, sent twice from top to bottom', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 500), petRow(21n, 500)] });
  const { item, variable } = JSON.parse(postmanCollection()) as Collection;
  const variables = new Map(variable.map(({ key, value }) => [key, value]));
  variables.set('baseUrl', '/v1');
  const filled = (text: string) =>
    text.replaceAll(/\{\{([\w$]+)\}\}/g, (_, name: string) =>
      name === '$guid' ? randomUUID() : (variables.get(name) ?? `no variable ${name}`),
    );
  const requests = item.flatMap((folder) => folder.item);
  for (const { name, request, event } of [...requests, ...requests]) {
    const headers = Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)]));
    const method = name === 'streamMovements' ? 'HEAD' : request.method;
    const body = request.body && filled(request.body.raw);
    const answer = await app.request(method, filled(request.url.raw), {
      headers,
      ...(body !== undefined && { body }),
    });
    assert.ok(answer.status < 300, `${name}: ${answer.status} ${answer.text}`);
    const response = { code: answer.status, json: () => JSON.parse(answer.text) as unknown };
    const pm = {
      response,
      collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
    };
    for (const { script } of event ?? []) runInNewContext(script.exec.join('\n'), { pm, String });
  }
});

test('llms.txt lists each operation, and llms-full.txt has each guide', () => {
  const text = llmsText();
  for (const operation of OPERATIONS)
    assert.ok(text.includes(`[${operation}](docs#${operation})`), operation);
  assert.match(llmsFullText(), /^# Quick start$/m);
});

test('links between guides become links of the page, and pictures addresses of files', () => {
  const page = guidesHtml(readGuides(ADDRESSES), (slug) => `page/${slug}`);
  assert.match(
    page,
    /<a href="petstore\.postman_collection\.json">a collection<\/a>/,
    'the service serves it',
  );
  assert.match(page, /href="#page\/repeat-a-write-safely"/);
  assert.match(page, /<img src="\/docs\/pictures\/bans\.svg"/);
  assert.doesNotMatch(page, /(?:href|src)="[^"]*\.md/, 'no link leads to a file of the repository');
  assert.doesNotMatch(page, /<!--/);
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(ids.length, new Set(ids).size, 'each id is there one time');
  for (const [, id = ''] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(id), id);
});

/** A guide with a link, and another one, beside a file and a picture. */
const linking = (link: string) => {
  const texts = new Map([
    ['docs/one.md', `# One\n\n\`[two](missing.md)\`\n\nSee\n${link}.`],
    ['docs/two.md', '# Two\n\n## Part'],
    ['notes.md', '# Notes\n\n## Old'],
    ['docs/pictures/a.svg', ''],
    ['openapi.json', '{}'],
  ]);
  const guides = readGuides(ADDRESSES, ['docs/one.md', 'docs/two.md'], (path) => texts.get(path));
  return guidesHtml(guides, (slug) => slug);
};

test('links to what is only in the repository become texts', () => {
  assert.match(linking('[the *notes*](../notes.md#old)'), /See\nthe <em>notes<\/em>\./);
  assert.match(linking('[two](two.md#part)'), /See\n<a href="#page\/part">two<\/a>\./);
  assert.match(linking('[two](two.md)'), /href="#page\/two"/);
  assert.match(linking('[a](../openapi.json)'), /href="openapi\.json"/, 'the service serves it');
  assert.match(linking('![a](pictures/a.svg)'), /<img src="\/docs\/pictures\/a\.svg" alt="a">/);
});

test('a link that leads nowhere stops the build, with its file, line and target', () => {
  for (const [target, reason] of [
    ['two.md#parts', 'no heading has this address'],
    ['../notes.md#new', 'no heading has this address'],
    ['three.md', 'no such file'],
    ['../docs/pictures/b.svg', 'no such file'],
  ] as const) {
    const message = `docs/one.md:6: ${target}: ${reason}.`;
    assert.throws(() => linking(`[a](${target})`), { message });
  }
  assert.throws(() => linking('![b](pictures/b.svg)'), { message: /^docs\/one\.md:6: pictures\/b\.svg: / });
});

test('links of the other pages of the repository lead to files and headings', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'docs/figures.md'];
  const others = [
    'client/README.md',
    'examples/README.md',
    'deploy/README.md',
    'bench/README.md',
    'web/README.md',
  ];
  assert.ok(readGuides(ADDRESSES, [...pages, ...others]).length > 100);
});

test('code of the guides is shown as it is written, with a button that copies it', () => {
  const read = () => '# One\n\n```sh\ncurl "<b>" # $KEY\n```\n\n```\n1 < 2\n```\n';
  const page = guidesHtml(readGuides(ADDRESSES, ['docs/one.md'], read), (slug) => slug);
  assert.equal(page.match(/<button type="button" class="copy">/g)?.length, 2);
  assert.match(page, /1 &lt; 2/);
  assert.match(page, /&lt;b&gt;/);
  assert.match(page, /class="hljs-comment"/);
});
