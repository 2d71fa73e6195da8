import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { errorsPage } from '../../scripts/errors-page.ts';
import { SCOPES } from '../../server/src/domain/access/api-key.ts';
import { ERROR_STATUS } from '../../server/src/domain/errors.ts';
import { ERROR_MEANINGS } from '../../server/src/http/openapi/error-descriptions.ts';
import { makeAdminKey } from '../../server/test/blackbox/operator.ts';
import { startService } from '../../server/test/blackbox/service.ts';
import { startApp } from '../../server/test/support/harness.ts';
import {
  ADMIN_DOCUMENT,
  DOCUMENT,
  operationsIn,
  resolved,
} from '../../server/test/support/openapi-document.ts';
import { petRow } from '../../server/test/support/pet-rows.ts';
import { until } from '../../server/test/support/until.ts';
import { guideHtml } from '../../web/build/guide-html.ts';
import { GUIDES, guideName, readGuides, repositoryFile } from '../../web/build/guides.ts';
import { llmsFullText, llmsText } from '../../web/build/llms.ts';
import { postmanCollections } from '../../web/build/postman-collection.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

const pictureAddress = (path: string) => `/${path}`;
const OPERATIONS = operationsIn(DOCUMENT).map(({ operation }) => operation.operationId);

interface CollectionItem {
  readonly name: string;
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly auth?: { readonly type: string };
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
  for (const [path, text] of Object.entries(postmanCollections()))
    assert.equal(readFileSync(repositoryFile(path), 'utf8'), text, path);
});

test('docs/errors.md has each error code', () => {
  const headings = [...errorsPage().matchAll(/^## (\S+)$/gm)].map(([, code]) => code);
  assert.deepEqual(headings, Object.keys(ERROR_STATUS));
});

test('docs/errors.md says what to do for each status, and to wait where the response says how long', () => {
  const rows = [...errorsPage().matchAll(/^\| (\d{3}(?:, \d{3})*) \| ([a-z].*) \|$/gm)];
  const statusesIn = (some: typeof rows) => some.flatMap(([, statuses = '']) => statuses.split(', '));
  // The service sends neither 502 nor 504: they are of a proxy before it.
  const all = new Set([...Object.values(ERROR_STATUS).map(String), '502', '504']);
  assert.deepEqual(statusesIn(rows).toSorted(), [...all].toSorted());

  const timed = new Set<string>();
  for (const document of [DOCUMENT, ADMIN_DOCUMENT]) {
    for (const { operation } of operationsIn(document)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const header = resolved(document, response).headers?.['Retry-After'];
        if (header && resolved(document, header).required) timed.add(status);
      }
    }
  }
  const waiting = rows.filter(([, , remedy = '']) => remedy.includes('Retry-After'));
  assert.deepEqual(statusesIn(waiting).toSorted(), [...timed].toSorted());
});

test('docs/limits.md and the error of a large body have each size that an operation has', () => {
  const limits = readFileSync(repositoryFile('docs/limits.md'), 'utf8');
  const [, table = ''] = /^\| body of a request \| (.*) \| 413/m.exec(limits) ?? [];
  for (const document of [DOCUMENT, ADMIN_DOCUMENT]) {
    for (const { operation } of operationsIn(document)) {
      const large = operation.responses['413'] as { readonly description?: string } | undefined;
      const [, text = '16 KiB'] = / (\d+ [KM]iB)\.$/.exec(large?.description ?? '') ?? [];
      const size = text === '2048 KiB' ? '2 MiB' : text;
      assert.ok(table.includes(size), `${operation.operationId}: ${size}`);
      assert.ok(ERROR_MEANINGS.body_too_large.includes(size), `${operation.operationId}: ${size}`);
    }
  }
});

test('the quick start has each scope of a key in its table', () => {
  const text = readFileSync(repositoryFile('docs/quick-start.md'), 'utf8');
  const [, table = ''] = /^\| scope \| operations \|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const named = [...table.matchAll(/`([a-z]+:[a-z]+)`/g)].map(([, scope]) => scope);
  assert.deepEqual(named.toSorted(), SCOPES.toSorted());
});

const COLLECTED = postmanCollections();
const collectionAt = (path: keyof typeof COLLECTED) => JSON.parse(COLLECTED[path]) as Collection;
const OF_CLIENTS = collectionAt('docs/petstore.postman_collection.json');
const OF_MANAGERS = collectionAt('docs/petstore-admin.postman_collection.json');

test('each collection of requests has each operation of its interface', () => {
  for (const [{ item }, document] of [
    [OF_CLIENTS, DOCUMENT],
    [OF_MANAGERS, ADMIN_DOCUMENT],
  ] as const) {
    const names = item.flatMap((folder) => folder.item.map(({ name }) => name));
    const ids = operationsIn(document).map(({ operation }) => operation.operationId);
    assert.deepEqual([...new Set(names)].toSorted(), ids.toSorted());
  }
});

/** A request of a collection with the values of its variables. */
interface Filled {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly hasKey: boolean;
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Sends every request of a collection twice from top to bottom, as Postman does, and runs its scripts. */
async function sendAll(
  { item, variable }: Collection,
  values: Readonly<Record<string, string>>,
  send: (request: Filled, name: string) => Promise<Answered>,
): Promise<void> {
  const variables = new Map(variable.map(({ key, value }) => [key, value]));
  for (const [name, value] of Object.entries(values)) {
    assert.ok(variables.has(name), `the collection has the variable ${name}`);
    variables.set(name, value);
  }
  let timestamp = Math.floor(Date.now() / 1_000);
  const filled = (text: string) =>
    text.replaceAll(/\{\{([\w$]+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return randomUUID();
      if (name === '$timestamp') return String((timestamp += 1));
      return variables.get(name) || assert.fail(`the variable ${name} has no value`);
    });
  const requests = item.flatMap((folder) => folder.item);
  for (const { name, request, event } of [...requests, ...requests]) {
    const { status, text } = await send(
      {
        method: name === 'streamMovements' ? 'HEAD' : request.method,
        url: filled(request.url.raw),
        headers: Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)])),
        body: request.body && filled(request.body.raw),
        hasKey: request.auth?.type !== 'noauth',
      },
      name,
    );
    assert.ok(status < 300, `${name}: ${status} ${text}`);
    const pm = {
      response: { code: status, json: () => JSON.parse(text) as unknown },
      collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
    };
    for (const { script } of event ?? []) runInNewContext(script.exec.join('\n'), { pm, String });
  }
}

test('every request of the collection of clients succeeds, sent twice from top to bottom', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t, { pets: [petRow(7n, 500), petRow(21n, 500)] });
  await sendAll(OF_CLIENTS, { baseUrl: '/v1' }, ({ method, url, headers, body }) =>
    app.request(method, url, { headers, ...(body !== undefined && { body }) }),
  );
});

test('every request of the collection of managers succeeds, sent twice from top to bottom', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = [7n, 21n].map((petId) => ({ petId, quantity: 500 }));
  const service = await startService(t, { pets });
  const managementKey = await makeAdminKey(service, 'administrator');
  const values = { baseUrl: `${service.url}/admin/v1`, managementKey, origin: service.url };
  let cookie = '';
  const send = async ({ method, url, headers, body, hasKey }: Filled): Promise<Answered> => {
    const credential: Record<string, string> = hasKey
      ? { Authorization: `Bearer ${managementKey}` }
      : { Cookie: cookie };
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...credential },
      ...(body && { body }),
    });
    const [pair] = response.headers.get('Set-Cookie')?.split(';') ?? [];
    if (pair !== undefined) cookie = pair;
    return { status: response.status, text: await response.text() };
  };
  await sendAll(OF_MANAGERS, values, async (request, name) => {
    // The work of an import or a bulk change goes on after its response.
    if (!/(?:Import|ImportRows|ImportBadRows|BulkChange)$/.test(name)) return send(request);
    let answered = await send(request);
    await until(async () => {
      if (answered.status === 409) answered = await send(request);
      return answered.status !== 409;
    }, `${name} succeeds`);
    return answered;
  });
});

test('llms.txt lists each operation, and llms-full.txt has each guide', () => {
  const text = llmsText();
  for (const operation of OPERATIONS)
    assert.ok(text.includes(`[${operation}](docs/reference#${operation})`), operation);
  for (const path of GUIDES) assert.ok(text.includes(`](docs/${guideName(path)})`), path);
  assert.match(llmsFullText(), /^# Quick start$/m);
});

test('links between guides become links of their pages, and pictures addresses of files', (t) => {
  if (isSkippedDaily(t)) return;
  const guides = readGuides(pictureAddress);
  const pages = new Map(guides.map((guide) => [guide.name, guideHtml(guide)]));
  const quickStart = pages.get('quick-start') ?? '';
  assert.match(
    quickStart,
    /href="\.\.\/petstore\.postman_collection\.json">a collection</,
    'the service serves it',
  );
  assert.match(quickStart, /href="safe-writes(?:#[\w-]+)?"/);
  assert.match(pages.get('limits') ?? '', /<img loading="lazy" src="\/docs\/pictures\/bans\.svg"/);
  assert.equal(pages.size, GUIDES.length, 'each has its own address');
  for (const [name, page] of pages) {
    assert.doesNotMatch(page, /(?:href|src)="[^"]*\.md/, 'no link leads to a file of the repository');
    assert.doesNotMatch(page, /<!--|<script| style=| on\w+=/, name);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(ids.length, new Set(ids).size, `${name}: each id is there one time`);
  }
  for (const [name, page] of pages) {
    for (const [, target = '', id] of page.matchAll(/href="([\w-]*)#([^"]*)"/g))
      assert.ok(pages.get(target || name)?.includes(` id="${id}"`), `${name}: ${target}#${id}`);
  }
});

test('variables, metrics and commands have addresses of their own', () => {
  const guides = readGuides(pictureAddress);
  const page = (name: string) => guideHtml(guides.find((guide) => guide.name === name) ?? assert.fail(name));
  assert.match(
    page('configuration'),
    /<tr role="row" id="petstore_order_hold"><td role="cell"><code>PETSTORE_ORDER_HOLD</,
  );
  assert.match(page('operating'), /<tr id="petstore_ready">/);
  assert.match(page('operating'), /<tr id="petstore-server-verify">/);
  assert.match(page('client'), /<tr id="petstore-completion">/);
});

test('a table that is too wide for a phone says what each cell is', () => {
  const read = () =>
    '# One\n\n| a | `b` | |\n|---|---|---|\n| 1 | 2 | 3 |\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
  const [guide] = readGuides(pictureAddress, ['docs/one.md'], read);
  const page = guideHtml(guide ?? assert.fail());
  assert.match(page, /<table class="stacks" role="table">/);
  assert.match(page, /<td role="cell">1<\/td><td role="cell" data-label="b">2<\/td><td role="cell">3<\/td>/);
  assert.match(page, /<table>\n<thead><tr><th>a<\/th><th>b<\/th><\/tr>/);
});

test('a guide is described by its first sentences', () => {
  const describe = (text: string) => readGuides(pictureAddress, ['docs/one.md'], () => text)[0]?.description;
  assert.equal(
    describe('# One\n\nSays *it*: so. Then `that`. These follow:\n\n- a\n'),
    'Says it: so. Then that.',
  );
  assert.equal(describe('# One\n\nRead [two.md](https://two.example). Do it.\n'), 'Do it.');
  assert.equal(describe('# One\n\n## Two\n\nText.\n\n## Three\n'), 'Two, Three');
  const long = describe(`# One\n\n${'word '.repeat(100)}end.`) ?? '';
  assert.ok(long.length <= 181 && long.endsWith('word…'), long);
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
  const [one] = readGuides(pictureAddress, ['docs/one.md', 'docs/two.md'], (path) => texts.get(path));
  return guideHtml(one ?? assert.fail());
};

test('links to what is only in the repository become texts', () => {
  assert.match(linking('[the *notes*](../notes.md#old)'), /See\nthe <em>notes<\/em>\./);
  assert.match(linking('[two](two.md#part)'), /See\n<a href="two#part">two<\/a>\./);
  assert.match(linking('[two](two.md)'), /href="two"/);
  assert.match(linking('[a](../openapi.json)'), /href="\.\.\/openapi\.json"/, 'the service serves it');
  assert.match(
    linking('![a](pictures/a.svg)'),
    /<img loading="lazy" src="\/docs\/pictures\/a\.svg" alt="a">/,
  );
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
  const guides = readGuides(pictureAddress, [...pages, ...others]);
  assert.ok(guides.flatMap(({ sections }) => sections).length > 100);
});

test('code of the guides is shown as it is written, with a button that copies it', () => {
  const read = () => '# One\n\n```sh\ncurl "<b>" # $KEY\n```\n\n```\n1 < 2\n```\n';
  const [guide] = readGuides(pictureAddress, ['docs/one.md'], read);
  const page = guideHtml(guide ?? assert.fail());
  assert.equal(page.match(/<button type="button" class="copy needs-script">/g)?.length, 2);
  assert.match(page, /1 &lt; 2/);
  assert.match(page, /&lt;b&gt;/);
  assert.match(page, /class="hljs-comment"/);
});
