import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sbomOfServer } from '../../scripts/release/sbom.ts';
import { outsideNode } from '../../server/test/cli/outside-node.ts';
import { temporaryFolder } from '../../server/test/support/command-line.ts';
import { machineEnvironment } from '../../server/test/support/machine-environment.ts';
import { assertFiles, installOffline, pack, ROOT, type Tarball } from './packages.ts';
import { assertKeepsToItsRelease, assertReleaseWorks, idleMegabytes, type Released } from './released.ts';

/** Most of it is the script of the documentation and the reader of the camera, compressed with gzip and with Brotli. */
const MAX_SERVER_BYTES = 6_000_000;
const MAX_CLIENT_BYTES = 200_000;
/** 15 % more than what was measured. */
const MAX_IDLE_MEGABYTES = 100;
const DOCUMENTS = [/^package\.json$/, /^README\.md$/, /^LICENSE$/];
/** Lists pets through the client, and prints what it got. */
const PROGRAM = `
import { PetstoreClient } from '@petstore-inventory/client';
import { AdminClient } from '@petstore-inventory/client/admin';
if (!(AdminClient.prototype.listAccounts instanceof Function)) throw new Error('the second entry is empty');
const client = new PetstoreClient({ apiKey: process.env.PETSTORE_API_KEY, baseUrl: process.env.PETSTORE_URL });
const items = await client.listInventory();
console.log(items.map(({ petId, quantity }) => petId + ':' + quantity).join(' '));
`;

/** JavaScript, the pages and the sample. */
function assertServer(t: TestContext, server: Tarball): void {
  t.diagnostic(`${server.files.length} files, ${server.size} bytes, ${server.unpackedSize} unpacked`);
  assertFiles(server, [
    ...DOCUMENTS,
    /^bin\/petstore-server\.js$/,
    /^dist\/sample\/pets\.csv$/,
    /^dist\/src\/service\/[\w-]+\.js$/,
    /^web\/dist\/[^.][^/]*$/,
    /^web\/dist\/docs\/[a-z0-9-]+\.html(?:\.br|\.gz)?$/,
    /^web\/dist\/assets\/[^/]+\.(?:js|css|svg|woff2|json|wasm)(?:\.br|\.gz)?$/,
  ]);
  const entries = ['main.ts', ...globSync('src/**/*-worker.ts', { cwd: join(ROOT, 'server') })];
  for (const entry of entries) {
    const built = `dist/src/service/${basename(entry, '.ts')}.js`;
    assert.ok(server.files.includes(built), built);
  }
  for (const file of server.files.filter((name) => name.endsWith('.js') && name.startsWith('dist/'))) {
    // Otherwise V8 keeps it with two bytes for each character.
    assert.doesNotMatch(readFileSync(join(ROOT, 'server', file), 'utf8'), /[\u0080-\uffff]/, file);
  }
  assert.ok(server.size < MAX_SERVER_BYTES);
}

/** Built modules with their types. */
function assertClient(t: TestContext, client: Tarball): void {
  t.diagnostic(`${client.files.length} files, ${client.size} bytes, ${client.unpackedSize} unpacked`);
  assertFiles(client, [...DOCUMENTS, /^(?:bin|dist)\/(?:[a-z-]+\/)*[a-z-]+(?:\.d\.ts|\.js)$/]);
  assert.ok(client.size < MAX_CLIENT_BYTES);
}

/** The names of all packages that an installation of ours brought. */
function packagesIn(folder: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const names = Object.keys(packages).map((path) => path.replace(/^(?:.*\/)?node_modules\//, ''));
  return names.filter((name) => !name.startsWith('@petstore-inventory/')).toSorted();
}

function componentsOf(sbom: string): readonly string[] {
  const { components } = JSON.parse(sbom) as { components: { name: string }[] };
  return components.map(({ name }) => name).toSorted();
}

test('packages carry the license of the repository, one version, and are public', () => {
  const license = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  const versions = ['.', 'server', 'client', 'web', 'bench', 'shared'].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const isPublished = folder === 'server' || folder === 'client';
    assert.equal(manifest.private === true, !isPublished, folder);
    if (isPublished) {
      assert.equal(readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8'), license);
      assert.deepEqual(manifest.publishConfig, { access: 'public' });
    }
    return manifest.version;
  });
  assert.equal(new Set(versions).size, 1);
});

test('both tarballs are minimal, and installed offline in an empty folder they serve a shop and list it', async (t) => {
  const folder = temporaryFolder(t);
  const [server, client] = [pack('server', folder), pack('client', folder)];
  assertServer(t, server);
  assertClient(t, client);
  const shop = installOffline(folder, [server, client]);
  assert.deepEqual(packagesIn(shop), componentsOf(sbomOfServer(ROOT)));
  const words = [join(shop, 'node_modules/.bin/petstore-server')];
  const released: Released = { binary: process.execPath, words, folder: shop };
  await assertReleaseWorks(t, released, async ({ url, key }) => {
    writeFileSync(join(shop, 'list.mjs'), PROGRAM);
    const env = { ...machineEnvironment(), PETSTORE_API_KEY: key, PETSTORE_URL: url };
    // The client also runs on a Node that is too old for the server.
    for (const node of [process.execPath, outsideNode()]) {
      const run = (...words: readonly string[]) =>
        execFileSync(node, words, { cwd: shop, env, encoding: 'utf8' });
      assert.equal(run('list.mjs').trim(), '2:7 3:9 9007199254740993:6');
      const listed = run('node_modules/.bin/petstore', 'list', '--json');
      assert.match(listed, /"petId":\s*9007199254740993,/);
    }
  });
  const entry = join(shop, 'node_modules/@petstore-inventory/server/dist/src/service/main.js');
  await assertKeepsToItsRelease(t, released, entry);
  const idle = await idleMegabytes(t, released);
  t.diagnostic(`${idle} MB of memory when idle`);
  assert.ok((idle ?? 0) < MAX_IDLE_MEGABYTES, `${idle} MB`);
});
