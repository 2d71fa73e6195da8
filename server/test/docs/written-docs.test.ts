import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorsPage } from '../../../web/build/errors-page.ts';
import { joinGuides, repositoryFile } from '../../../web/build/guides.ts';
import { llmsFullText, llmsText } from '../../../web/build/llms.ts';
import { postmanCollection } from '../../../web/build/postman-collection.ts';
import { SCOPES } from '../../src/domain/access/api-key.ts';
import { ERROR_STATUS } from '../../src/domain/errors.ts';
import { DOCUMENT, operationsIn } from '../support/openapi-document.ts';

const ADDRESSES = { ofHeading: (slug: string) => `#page/${slug}`, ofPicture: (path: string) => `/${path}` };
const OPERATIONS = operationsIn(DOCUMENT).map(({ operation }) => operation.operationId);

interface Collection {
  readonly item: readonly { readonly item: readonly { readonly name: string; readonly request: object }[] }[];
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

test('the collection of requests has each operation one time', () => {
  const { item } = JSON.parse(postmanCollection()) as Collection;
  const names = item.flatMap((folder) => folder.item.map(({ name }) => name));
  assert.deepEqual(names.toSorted(), OPERATIONS.toSorted());
});

test('llms.txt lists each operation, and llms-full.txt has each guide', () => {
  const text = llmsText();
  for (const operation of OPERATIONS)
    assert.ok(text.includes(`[${operation}](/docs#${operation})`), operation);
  assert.match(llmsFullText(), /^# Quick start$/m);
});

test('links between guides become links of the page, and pictures addresses of files', () => {
  const text = joinGuides(ADDRESSES);
  assert.match(text, /\[a collection\]\(petstore\.postman_collection\.json\)/, 'the service serves it');
  assert.match(text, /\(#page\/repeat-a-write-safely\)/);
  assert.match(text, /\(\/docs\/pictures\/bans\.svg\)/);
  assert.doesNotMatch(text, /\]\([\w./-]+\.md/, 'no link leads to a file of the repository');
  assert.doesNotMatch(text, /<!--/);
});

test('a link to a heading that is not there stops the build', () => {
  const guides = (link: string) =>
    new Map([
      ['docs/one.md', `# One\n\nSee [two](${link}).`],
      ['docs/two.md', '# Two\n\n## Part'],
    ]);
  assert.match(joinGuides(ADDRESSES, guides('two.md#part')), /\[two\]\(#page\/part\)/);
  assert.throws(
    () => joinGuides(ADDRESSES, guides('two.md#parts')),
    /docs\/one\.md: no heading has the address two\.md#parts/,
  );
});
