import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { blocksIn, ROOT, readPage } from '../../../test/docs/pages.ts';
import { builtFixture } from '../../../web/test/serving/built-fixture.ts';
import { VARIABLES } from '../../src/config-variables.ts';
import { settingsToRecord } from '../../src/cli/service-settings.ts';
import { MAIN } from '../support/bundle/service-program.ts';
import { commandLine, environmentOf, run, temporaryFolder } from '../support/command-line.ts';
import { startUntil } from '../support/launched-process.ts';

const OPERATOR = 'npx petstore-server ';
/** The state of an import that a job works on. */
const IS_WORKING = /"state":"(?:checking|applying)"/;

/** Values of the variables in the requests of pages. */
type Variables = Record<string, string>;

const blocksOf = (path: string) => blocksIn(readPage(path));

/** The commands of the shell blocks whose first command is this program. */
function shellBlocksOf(path: string, program: string): string[] {
  return blocksOf(path)
    .filter(({ language, text }) => language === 'sh' && commandsOf(text)[0]?.startsWith(program))
    .map(({ text }) => text);
}

function commandsOf(block: string): string[] {
  return block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** A `curl` command as a request: its options are those that the pages use. */
function requestOf(command: string, variables: Variables, url: string): Request {
  const text = command.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
    assert.ok(variables[name], `${command}: $${name} has no value`);
    return variables[name];
  });
  // As a shell does, words join the quoted parts that touch each other.
  const words = [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  assert.equal(words.shift(), 'curl', command);
  const headers = new Headers();
  const init: RequestInit = { headers };
  let address = '';
  while (words.length > 0) {
    const word = words.shift();
    if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(': ');
      headers.set(name, value.replace('http://localhost:8080', url));
    } else if (word === '-X') init.method = words.shift() ?? '';
    else if (word === '-d') init.body = words.shift() ?? '';
    else if (word === '-c') words.shift();
    else if (word === '-b') headers.set('Cookie', variables[words.shift() ?? ''] ?? '');
    else if (word !== '-N') address = word ?? '';
  }
  assert.match(address, /^http:\/\/localhost:8080\//, command);
  return new Request(address.replace('http://localhost:8080', url), init);
}

/** Variables of the pages, by the kind of the ids that they have. */
const VARIABLE_OF_ID = { whe: 'ENDPOINT', imp: 'IMPORT', stk: 'STOCKTAKE' } as const;

const REMAINING = /(?<="remaining":)\d+/g;

/** Compares with a response in which … matches anything. A minute that ends on the way gives its requests back. */
function assertLike(body: string, shown: string): void {
  const left = body.match(REMAINING) ?? [];
  for (const [i, least] of (shown.match(REMAINING) ?? []).entries())
    assert.ok(Number(left[i]) >= Number(least), `${body} leaves fewer requests than ${shown}`);
  const pattern = shown
    .replaceAll(REMAINING, '…')
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  assert.match(body, new RegExp(`^${pattern}$`, 's'));
}

/** The body of a response; of one that does not end, as many lines as are shown. */
async function bodyOf(response: Response, shown: string): Promise<string> {
  if (response.headers.get('Content-Type') !== 'text/event-stream') return (await response.text()).trimEnd();
  let text = '';
  const lines = shown.split('\n').length;
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.trimEnd().split('\n').length >= lines) break;
  }
  return text.trimEnd();
}

async function openSampleShop(t: TestContext) {
  const folder = temporaryFolder(t);
  const started = await startUntil(t, folder, ['start', '--json'], (text) => text.endsWith('\n'));
  const { url, key, adminKey } = JSON.parse(started.text) as Record<'url' | 'key' | 'adminKey', string>;
  const cli = commandLine(folder);
  const variables: Variables = { KEY: key, ADMIN_KEY: adminKey };
  const send = async (command: string) => {
    const response = await fetch(requestOf(command, variables, url));
    const [, jar] = / -c (\S+) /.exec(command) ?? [];
    if (jar !== undefined) variables[jar] = response.headers.get('Set-Cookie')?.split(';')[0] ?? '';
    return response;
  };
  /** The body of a response; the endpoint, the import or the stock-take that it shows is a variable of the next requests. */
  const answerTo = async (command: string, shown: string) => {
    let body = await bodyOf(await send(command), shown);
    // The page says to repeat the request.
    while (IS_WORKING.test(body) && !IS_WORKING.test(shown)) {
      await delay(50);
      body = await bodyOf(await send(command), shown);
    }
    const [, id, kind] = /"id":"((whe|imp|stk)_\w+)"/.exec(body) ?? [];
    if (id !== undefined) variables[VARIABLE_OF_ID[kind as keyof typeof VARIABLE_OF_ID]] = id;
    return body;
  };
  /** Output of a command, or the body of a response. */
  const outputOf = async (command: string, shown: string): Promise<string | undefined> => {
    if (command.startsWith('curl ')) return answerTo(command, shown);
    if (!command.startsWith(OPERATOR)) return undefined;
    return (await cli(...command.slice(OPERATOR.length).split(' '))).stdout.trimEnd();
  };
  /** Runs each request and each command of a page, and compares with the block after it. */
  const followPage = async (path: string): Promise<number> => {
    const blocks = blocksOf(path);
    let compared = 0;
    for (const [i, { text }] of blocks.entries()) {
      const shown = blocks[i + 1]?.text ?? '';
      const output = await outputOf(text, shown);
      if (output === undefined) continue;
      assertLike(output, shown);
      compared += 1;
    }
    return compared;
  };
  return { send, followPage, stop: started.stop };
}

test('the requests of the README succeed, and change what the quick start changes', async (t) => {
  const { send, stop } = await openSampleShop(t);
  const [requests = ''] = shellBlocksOf('README.md', 'curl');
  assert.equal(commandsOf(requests).length, 7);
  for (const command of commandsOf(requests)) {
    const response = await send(command);
    assert.ok(response.ok, `${command}: ${response.status} ${await response.text()}`);
  }
  assert.equal(await stop(), 0);
  // So the tours fit both.
  const changes = (blocks: readonly string[]) =>
    blocks.flatMap(commandsOf).filter((command) => command.includes(' -X '));
  assert.deepEqual(changes([requests]), changes(shellBlocksOf('docs/quick-start.md', 'curl')));
});

test('the quick start gets the responses that it shows, and the tours of other pages continue it as they show', async (t) => {
  const { followPage, stop } = await openSampleShop(t);
  assert.equal(await followPage('docs/quick-start.md'), 7);
  assert.equal(await followPage('docs/ledger.md'), 11);
  assert.equal(await followPage('docs/orders.md'), 16);
  assert.equal(await followPage('docs/alerts.md'), 11);
  assert.equal(await followPage('docs/webhooks.md'), 7);
  assert.equal(await followPage('docs/management.md'), 29);
  assert.equal(await stop(), 0);
});

/** Finds a quick equivalent of npx, and an npm that builds nothing, before the programs of the machine. */
function shellPath(t: TestContext): string {
  const folder = temporaryFolder(t);
  // Without the start-up time of npx and of the source; launcher.test.ts runs npx and the launcher.
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\n');
  for (const name of ['npx', 'npm']) chmodSync(join(folder, name), 0o755);
  return `${folder}${delimiter}${process.env.PATH}`;
}

/** Runs shell blocks in sequence and unchanged, in the checkout and on a database of the test. */
async function runBlocks(t: TestContext, blocks: readonly string[]): Promise<string> {
  const folder = temporaryFolder(t);
  const path = shellPath(t);
  let output = '';
  for (const block of blocks) {
    const text = block.replace('petstore-backup.db', join(folder, 'petstore-backup.db'));
    const { code, stdout, stderr } = await run(
      'sh',
      ['-ec', text],
      ROOT,
      environmentOf(folder, { PATH: path }),
    );
    assert.deepEqual([code, stderr], [0, ''], block);
    output += stdout;
  }
  return output;
}

test('the README sets a shop up where a first look was, twice, and signs its owner in', async (t) => {
  const folder = temporaryFolder(t);
  const [setUp = ''] = shellBlocksOf('README.md', 'npm run build');
  const [serve, login = '', ...more] = shellBlocksOf('README.md', 'npx petstore-server');
  assert.deepEqual([serve, more], ['npx petstore-server serve', []]);
  // As in a checkout: each command has the database that is its own by default.
  const extra = { PETSTORE_DATABASE: undefined, PETSTORE_DASHBOARD: builtFixture(t), PATH: shellPath(t) };
  const start = async (command: string) => {
    const started = await startUntil(
      t,
      folder,
      [command, '--json'],
      (text) => /"url":.*\n$/.test(text),
      extra,
    );
    const [, url = ''] = /"url":"([^"]+)"/.exec(started.text) ?? [];
    return { ...started, url };
  };
  const runBlock = (text: string) => run('sh', ['-c', text], folder, environmentOf(folder, extra));
  for (const isAgain of [false, true]) {
    const looked = await start('start');
    assert.equal(await looked.stop(), 0);

    const made = await runBlock(setUp);
    assert.match(made.stdout, /psk_live_\w{38}/);
    assert.equal(/psa_live_\w{38}/.test(made.stdout), !isAgain);
    assert.match(made.stdout, isAgain ? /0 new, 0 changed, 2 unchanged/ : /2 new, 0 changed/);
    const again =
      /^error: There is an account named "shop" already\.\nerror: The key \w+ \(role administrator\) has the name "owner" already\. .*\n$/;
    assert.match(made.stderr, isAgain ? again : /^$/);
    const served = await start('serve');
    const signIn = await runBlock(login);
    const [, address, code = ''] = /^ {2}(http\S+)\/sign-in#code=(\S+)$/m.exec(signIn.stdout) ?? [];
    assert.equal(address, `http://localhost:${new URL(served.url).port}`);
    const session = await fetch(`${served.url}/admin/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    assert.equal(session.status, 200, signIn.stderr);
    const headers = { Cookie: session.headers.get('Set-Cookie')?.split(';')[0] ?? '' };
    const namesOf = async (path: string) => {
      const response = await fetch(`${served.url}${path}`, { headers });
      return ((await response.json()) as { name: string }[]).map(({ name }) => name);
    };
    assert.deepEqual(await namesOf('/admin/v1/pets'), ['Rex', 'Goldie']);
    assert.deepEqual(await namesOf('/admin/v1/accounts'), ['shop']);
    assert.equal(await served.stop(), 0);
  }
  const sample = commandLine(folder, { env: { PETSTORE_DATABASE: `sqlite:${folder}/data/sample.db` } });
  assert.match((await sample('verify')).stdout, /^60 pets, /);
});

test('the commands of docs/operating.md set a shop up, verify it and back it up', async (t) => {
  const output = await runBlocks(t, shellBlocksOf('docs/operating.md', 'npx petstore-server'));
  assert.match(output, /scopes +inventory:read, inventory:adjust\n/);
  assert.match(output, /60 pets, 60 movements: everything is as the ledger says\./);
  assert.match(output, /petstore-backup\.db is a complete copy/);
});

test('the JavaScript of docs/int64.md reads and writes 64-bit integers exactly', () => {
  const [snippet] = blocksOf('docs/int64.md').filter(({ language }) => language === 'js');
  const read = new Function('text', `${snippet?.text}; return { items, body };`) as (text: string) => {
    items: { petId: bigint; quantity: number }[];
    body: string;
  };
  const { items, body } = read('[{"petId":9007199254740993,"quantity":4,"status":"available"}]');
  assert.deepEqual([items[0]?.petId, items[0]?.quantity], [9007199254740993n, 4]);
  assert.equal(body, '{"petId":9007199254740993,"delta":-1}');
  const others =
    '[{"petId":7},{"petId":null,"petIds":[7,9007199254740993],"available":9007199254740995,"days":0.5}]';
  assert.deepEqual(read(others).items, [
    { petId: 7n },
    { petId: null, petIds: [7, 9007199254740993n], available: 9007199254740995n, days: 0.5 },
  ]);
});

test('docs/configuration.md names each setting that commands know from the service', () => {
  const all = Object.fromEntries(Object.values(VARIABLES).map(({ name }) => [name, 'x']));
  const [, paragraph = ''] = readPage('docs/configuration.md').split(
    '**Commands know the settings of the service.**',
  );
  const [sentence = ''] = paragraph.split('as far as they are set');
  const named = [...sentence.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), Object.keys(settingsToRecord(all, 8080)).toSorted());
});

test('docs/configuration.md lists every variable with its default and meaning', () => {
  const rows = Object.values(VARIABLES).map(({ name, default: byDefault, meaning }) => {
    return `| \`${name}\` | ${byDefault === '' ? '' : `\`${byDefault}\``} | ${meaning} |`;
  });
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
  assert.ok(
    readPage('docs/configuration.md').includes(table),
    `docs/configuration.md must have this table:\n${table}`,
  );
});

test('the README is short, and its blocks can be pasted', () => {
  const readme = readPage('README.md');
  assert.ok(readme.split('\n').length <= 121);
  for (const { language, text } of blocksOf('README.md')) {
    assert.ok(['', 'sh'].includes(language), 'a block has commands only');
    assert.doesNotMatch(text, /^\$ /m);
  }
  assert.doesNotMatch(readme, /\/v1\/pets\//, 'the deprecated operation is not taught');
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  for (const [line, name = ''] of readme.matchAll(/npm run ([\w:]+).*/g)) {
    assert.ok(line.includes('--workspace') || scripts[name] !== undefined, line);
  }
});
