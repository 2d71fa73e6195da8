import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../../src/config-variables.ts';
import { readConfig } from '../../src/config.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What names the variables of the client to its users. */
const CLIENT_TEXTS = ['client/README.md', 'client/cli/**/*.ts', 'examples/*'];

/** The variables that a kubelet sets in a container for a service with these ports (kubelet/envvars/envvars.go). */
function serviceVariables(
  service: string,
  host: string,
  ports: readonly [name: string, port: number, protocol: string][],
) {
  const [[, first, firstProtocol]] = ports as [[string, number, string]];
  const inUrl = host.includes(':') ? `[${host}]` : host;
  const variables: Record<string, string> = {
    [`${service}_SERVICE_HOST`]: host,
    [`${service}_SERVICE_PORT`]: String(first),
    [`${service}_PORT`]: `${firstProtocol}://${inUrl}:${first}`,
  };
  for (const [name, port, protocol] of ports) {
    const key = `${service}_PORT_${port}_${protocol.toUpperCase()}`;
    if (name !== '') variables[`${service}_SERVICE_PORT_${name}`] = String(port);
    variables[key] = `${protocol}://${inUrl}:${port}`;
    variables[`${key}_PROTO`] = protocol;
    variables[`${key}_PORT`] = String(port);
    variables[`${key}_ADDR`] = host;
  }
  return variables;
}

const PETSTORE = serviceVariables('PETSTORE', '10.0.0.11', [['HTTP', 80, 'tcp']]);

test('variables that Kubernetes sets for services named petstore... are accepted', () => {
  for (const variables of [
    PETSTORE,
    serviceVariables('PETSTORE_API_V2', 'fd00::1', [
      ['HTTP', 80, 'tcp'],
      ['DNS_UDP', 53, 'udp'],
      ['SIGNAL', 36412, 'sctp'],
    ]),
    { ...PETSTORE, ...serviceVariables('PETSTORE_PORT', '10.0.0.12', [['', 5432, 'tcp']]) },
  ]) {
    assert.equal(readConfig({ ...variables, PORT: '8081' }).port, 8081);
  }
});

test('a name that only looks like one of Kubernetes is refused, also next to real ones', () => {
  for (const [name, value] of [
    ['PETSTORE_PORT', '8080'],
    ['PETSTORE_PORT', 'tcp://example.com:80'],
    ['PETSTORE_SERVICE_PORT', 'http'],
    ['PETSTORE_SERVICE_PORT_HTTP', '8080x'],
    ['PETSTORE_SERVICE_HOST', 'shop.example'],
    ['PETSTORE_PORT_80_TCP', '80'],
    ['PETSTORE_PORT_80_TCP_PROTO', 'http'],
    ['PETSTORE_PORT_80_TCP_ADDR', 'localhost'],
    ['PETSTORE_PORT_80_HTTP', 'tcp://10.0.0.11:80'],
    ['PETSTORE_METRICS_PORT', '9090'],
    ['PETSTORE_METRICS_PORT', 'tcp://10.0.0.11:80'],
    ['PETSTORE_LOG_SERVICE_HOST', '10.0.0.11'],
  ] as const) {
    const refused = {
      name: 'OperatorError',
      message: /^PETSTORE_\w+ is not a variable of petstore-server; /,
    };
    assert.throws(() => readConfig({ ...PETSTORE, [name]: value }), refused, `${name}=${value}`);
  }
});

test(
  'the variables of the client are accepted, only as they are written',
  {
    skip: process.platform === 'win32',
  },
  () => {
    const texts = globSync(CLIENT_TEXTS, { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'));
    const named = new Set(texts.flatMap((text) => text.match(/\bPETSTORE_[A-Z_]+\b/g) ?? []));
    const own = new Set(Object.values(VARIABLES).map(({ name }) => name));
    const client = Object.fromEntries([...named].filter((name) => !own.has(name)).map((name) => [name, 'x']));
    assert.deepEqual(Object.keys(client).toSorted(), [
      'PETSTORE_ADMIN_KEY',
      'PETSTORE_API_KEY',
      'PETSTORE_URL',
      'PETSTORE_WEBHOOK_SECRET',
    ]);
    assert.equal(readConfig({ ...client, PORT: '8081' }).port, 8081);
    for (const name of ['petstore_url', 'PETSTORE_URLS']) {
      assert.throws(() => readConfig({ [name]: 'x' }), {
        message: new RegExp(`^${name} is not`),
      });
    }
  },
);

test('an incomplete set of Kubernetes variables is refused', () => {
  for (const [name, value] of Object.entries(PETSTORE)) {
    assert.throws(() => readConfig({ [name]: value }), { message: new RegExp(`^${name} is not`) });
  }
});

test('the refusal of a name with a prefix too many names the right one', () => {
  assert.throws(() => readConfig({ PETSTORE_PORT: '8080' }), {
    message:
      'PETSTORE_PORT is not a variable of petstore-server; set PORT, or see petstore-server serve --help.',
  });
});

test('a name in the wrong case is refused with the right one', { skip: process.platform === 'win32' }, () => {
  for (const [name, meant] of [
    ['petstore_host', 'PETSTORE_HOST'],
    ['PetStore_Host', 'PETSTORE_HOST'],
    ['petstore_port', 'PORT'],
    ['port', 'PORT'],
  ]) {
    assert.throws(() => readConfig({ [`${name}`]: '8080' }), {
      message: `${name} is not a variable of petstore-server; set ${meant}, or see petstore-server serve --help.`,
    });
  }
  assert.throws(() => readConfig({ petstore_extra: '1' }), {
    message: 'petstore_extra is not a variable of petstore-server; see petstore-server serve --help.',
  });
  assert.equal(readConfig({ Ports: '1', report: '2' }).port, 8080);
});
