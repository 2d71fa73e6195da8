import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { readPage } from '../../../test/docs/pages.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { VARIABLES } from '../../src/config-variables.ts';
import { commandLine, environmentOf, json, run, temporaryFolder } from '../support/command-line.ts';
import { startApp } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
/** The default connection limit of PostgreSQL, without the connections reserved for superusers. */
const DATABASE_CONNECTIONS = 100 - 3;
const POSTGRES = 'postgres://petstore:secret@database:5432/petstore';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly timeoutSeconds?: number;
}

interface Container {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly securityContext: object;
}

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target?: string };
  readonly entrypoint: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
}

const textOf = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
const manifest = (name: string) => parse(textOf(`kubernetes/${name}`));
const dockerfile = textOf('Dockerfile').replaceAll('\\\n', ' ');
const dockerfileArguments = Object.fromEntries(
  [...dockerfile.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
);
const unit = textOf('systemd/petstore.service');
const haproxy = textOf('haproxy.cfg');
const nginx = textOf('nginx.conf');
const compose = parse(textOf('compose.yaml'), { merge: true }) as {
  services: Readonly<
    Record<'secrets' | 'database' | 'petstore' | 'load-balancer' | 'operator' | 'backup', ComposeService>
  >;
  networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
};
const deployment = manifest('deployment.yaml').spec;
const pod = deployment.template.spec;
const container = pod.containers[0] as Container;

/** The settings of systemd that a name has, in their order. */
function settings(name: string): string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1] as string);
}

/** One word or number that a configuration must hold. */
function found(text: string, pattern: RegExp): string {
  const value = pattern.exec(text)?.[1];
  assert.ok(value !== undefined, `nothing matches ${pattern}`);
  return value;
}

function ours(environment: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.fromEntries([...environment].filter(([name]) => /^(?:PETSTORE_|PORT$)/.test(name)));
}

/** The environment that each way of running the service hands it. */
const environments = {
  image: ours([...dockerfile.matchAll(/(PETSTORE_\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!])),
  compose: ours(
    Object.entries(compose.services.petstore.environment ?? {}).map(([name, value]) => {
      return [name, value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')];
    }),
  ),
  kubernetes: ours([
    ...Object.entries<string>(manifest('secret.example.yaml').stringData),
    ...container.env.map(({ name, value }) => [name, value] as const),
  ]),
  systemd: ours(settings('Environment').map((text) => text.split(/=(.*)/s) as [string, string])),
};

const configOf = (name: keyof typeof environments): Config => readConfig(environments[name]);

test('the service accepts the environment that each way of running it hands it', () => {
  for (const [name, environment] of Object.entries(environments)) {
    assert.ok(Object.keys(environment).length > 0, name);
    assert.doesNotThrow(() => readConfig(environment), name);
  }
  assert.match(environments.kubernetes.PETSTORE_DATABASE ?? '', /^postgres:/);
});

test('the service has every variable in the files of deploy/', () => {
  const known = new Set(Object.values(VARIABLES).map(({ name }) => name));
  const files = globSync('**/*', { cwd: DEPLOY }).filter((file) => statSync(join(DEPLOY, file)).isFile());
  assert.ok(files.length >= 13, files.join(' '));
  const unknown = files.flatMap((file) => {
    const names = textOf(file).match(/\bPETSTORE_[A-Z_]+\b/g) ?? [];
    return names.filter((name) => !known.has(name)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unknown, []);
});

test('the systemd timer backs up the database of the service, as the owner of its data', async (t) => {
  if (isSkippedDaily(t)) return;
  const backup = textOf('systemd/petstore-backup.service');
  const valuesOf = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1] as string);
  for (const name of ['User', 'Group', 'WorkingDirectory', 'UMask', 'EnvironmentFile']) {
    assert.deepEqual(valuesOf(backup, name), settings(name), name);
  }
  const database = `PETSTORE_DATABASE=${environments.systemd.PETSTORE_DATABASE}`;
  assert.ok(valuesOf(backup, 'Environment').includes(database));
  const [program, line = ''] = (valuesOf(backup, 'ExecStart')[0] ?? '').split(/petstore-server\.js /);
  assert.equal(program, settings('ExecStart')[0]?.split('petstore-server.js')[0]);
  const to = found(line, /--to (\S+)/);
  assert.deepEqual(valuesOf(backup, 'ReadWritePaths'), [`${settings('WorkingDirectory')[0]} ${to}`]);
  assert.match(textOf('systemd/petstore-backup.timer'), /^OnCalendar=.*\n(?:.*\n)*Persistent=yes$/m);

  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const made = await json(cli, ...line.replace(to, folder).split(' '));
  assert.deepEqual([made.faults, made.deleted], [[], []]);
});

test('probes and health checks need no key, and use the port of the service', async (t) => {
  const { request, config } = await startApp(t);
  const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
  const paths = [
    ...probes.map(({ httpGet }) => httpGet.path),
    found(haproxy, /^ {4}http-check send meth GET uri (\S+)/m),
    found(dockerfile, /^HEALTHCHECK .*\?\? 8080\}(\/\w+)`/m),
  ];
  assert.deepEqual(paths, ['/healthz', '/readyz', '/healthz', '/readyz', '/healthz']);
  for (const path of paths) assert.equal((await request('GET', path, { key: null })).status, 200, path);

  const port = Number(VARIABLES.port.default);
  assert.equal(config.port, port);
  assert.deepEqual(container.ports, [{ name: 'http', containerPort: port }]);
  for (const { httpGet } of probes) assert.equal(httpGet.port, 'http');
  assert.equal(manifest('service.yaml').spec.ports[0].targetPort, 'http');
  assert.equal(found(dockerfile, /^EXPOSE (\d+)$/m), String(port));
  assert.equal(found(haproxy, /^ {4}server-template petstore- \d+ petstore:(\d+) /m), String(port));
});

test('supervisors wait longer for a stop than the service drains', () => {
  const grace = {
    compose: Number.parseInt(compose.services.petstore.stop_grace_period ?? '', 10),
    kubernetes: pod.terminationGracePeriodSeconds as number,
    systemd: Number(settings('TimeoutStopSec')[0]),
  };
  for (const name of ['compose', 'kubernetes', 'systemd'] as const) {
    const { drainDelaySeconds, drainTimeoutSeconds } = configOf(name);
    assert.ok(grace[name] >= drainDelaySeconds + drainTimeoutSeconds + 5, name);
  }
});

test('a stopping service accepts connections until its clients have detected the stop', () => {
  const inter = Number(found(haproxy, /check inter (\d+)s/));
  const fall = Number(found(haproxy, / fall (\d+)/));
  assert.ok(configOf('compose').drainDelaySeconds > inter * (fall + 1));
  const { periodSeconds, failureThreshold, timeoutSeconds = 1 } = container.readinessProbe;
  assert.ok(configOf('kubernetes').drainDelaySeconds > periodSeconds * failureThreshold + timeoutSeconds);
});

test('a load balancer hangs up idle connections before the service does', () => {
  const keptSeconds = Number(VARIABLES.keepAliveTimeoutSeconds.default);
  assert.ok(Number(found(nginx, /^ {8}keepalive_timeout (\d+)s;$/m)) < keptSeconds);
  assert.ok(Number(found(haproxy, /^ {4}timeout http-keep-alive (\d+)s$/m)) < keptSeconds);
  for (const environment of Object.values(environments)) {
    assert.equal(environment.PETSTORE_KEEP_ALIVE_TIMEOUT, undefined);
  }
});

test('a load balancer has connections for requests beside all live streams of an instance', () => {
  const streams = configOf('systemd').maxStreams;
  assert.ok(Number(found(haproxy, /^ {4}default-server check .* maxconn (\d+)$/m)) > streams);
  assert.ok(Number(found(haproxy, /^ {4}maxconn (\d+)$/m)) > streams);
  assert.ok(Number(found(nginx, /^ {4}worker_connections (\d+);$/m)) > 2 * streams);
});

test('a load balancer passes responses whose Link has a query as long as the headers of a request', () => {
  const kilobytes = [
    found(nginx, /^ {8}proxy_buffer_size (\d+)k;$/m),
    found(textOf('helm/values.yaml'), /^ {4}nginx\.ingress\.kubernetes\.io\/proxy-buffer-size: (\d+)k$/m),
    Number(found(haproxy, /^ {4}tune\.bufsize (\d+)$/m)) / 1024,
  ].map(Number);
  for (const each of kilobytes) assert.ok(each > 16, String(kilobytes));
});

test('a load balancer passes the largest body of an operation', () => {
  const documents = ['openapi.json', 'admin-openapi.json'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  );
  const kilobytes = [...documents.join('').matchAll(/The body is larger than (\d+) KiB\./g)].map(([, size]) =>
    Number(size),
  );
  const largest = Math.max(...kilobytes);
  assert.equal(found(nginx, /^ {8}client_max_body_size (\w+);$/m), `${largest / 1024}m`);
  assert.equal(found(nginx, /The body must have at most (\d+) bytes\./), String(largest * 1024));
});

test('a load balancer that does not know whether a change was made responds 502 or 504, and not 503 as the service', () => {
  const unknown = /whether a change was made is unknown\.","status":(\d+)\}/g;
  for (const [file, statuses] of [
    [nginx, ['502']],
    [haproxy, ['502', '504']],
  ] as const) {
    assert.deepEqual(
      [...file.matchAll(unknown)].map(([, status]) => status),
      statuses,
    );
  }
  const whatToDo = found(readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8'), /^\| 502, 504 \| (.+) \|$/m);
  assert.match(whatToDo, /send the request again; a write with the same `Idempotency-Key`/);
  assert.match(nginx, /return 502 '\{"code":"service_unavailable"/);
});

test('a load balancer never sends a change again whose outcome is unknown', () => {
  assert.deepEqual(haproxy.match(/^ *retry-on .*$/gm), ['    retry-on conn-failure']);
  assert.deepEqual(nginx.match(/^ *proxy_next_upstream .*$/gm), ['        proxy_next_upstream error;']);
});

test('a load balancer judges decoded paths, and passes none on that programs read in different ways', () => {
  const rule = (text: string) => new RegExp(`^ *${RegExp.escape(text)}`, 'm');
  assert.match(haproxy, /^ {4}http-request return status 404 .* if \{ path,url_dec \/metrics \}$/m);
  assert.match(haproxy, rule('acl is_ambiguous path,url_dec -m sub \\\\'));
  assert.match(haproxy, rule('acl is_ambiguous path,url_dec -m reg (^|/)[.]{1,2}(/|$)'));
  assert.match(haproxy, /^ {4}http-request return status 400 .* if is_ambiguous$/m);
  // nginx compares the decoded path with locations, and forwards the original target.
  assert.match(nginx, /^ {8}location = \/metrics \{$/m);
  assert.match(nginx, /^ {12}proxy_pass http:\/\/petstore;$/m);
  assert.match(nginx, /^ {8}if \(\$is_ambiguous\) \{\n {12}return 400 /m);
  const patterns = [...nginx.matchAll(/^ {8}"~\*(.*)" 1;$/gm)].map(
    ([, pattern]) => new RegExp((pattern as string).replaceAll('\\\\', '\\'), 'i'),
  );
  const isAmbiguous = (target: string) => patterns.some((pattern) => pattern.test(target));
  for (const target of ['/./a', '/a/..', '/%2e/a', '/a/.%2E?b', '/a\\b', '/a%5Cb', '/..?a']) {
    assert.ok(isAmbiguous(target), target);
  }
  for (const target of ['/', '/a.b/.c', '/a/...', '/a?b=/../\\%5c', '/a%2eb']) {
    assert.ok(!isAmbiguous(target), target);
  }
});

test('a load balancer sets the address of the client, and the service uses it', () => {
  assert.match(haproxy, /^ {4}http-request set-header X-Forwarded-For %\[src\]$/m);
  // Of the whole server: a location with a header of its own would inherit none.
  assert.match(nginx, /^ {8}proxy_set_header X-Forwarded-For \$remote_addr;$/m);
  assert.doesNotMatch(nginx, /^ {12}proxy_set_header/m);
  for (const name of ['compose', 'kubernetes', 'systemd'] as const) {
    assert.ok(configOf(name).trustedProxies.length > 0, name);
  }
});

test('an instance of Compose serves: a service with an entrypoint does not get the command of its image', () => {
  const { entrypoint, command } = compose.services.petstore;
  assert.ok(entrypoint.length > 0);
  assert.deepEqual(command, JSON.parse(found(dockerfile, /\nCMD (\[.*\])\n/)));
  // A backup without words makes one every six hours.
  assert.equal(compose.services.backup.command, undefined);
});

test('Compose lets the service and its commands out to receivers of webhooks, and nothing else', () => {
  const waysOut = (name: keyof typeof compose.services) =>
    (compose.services[name].networks ?? []).filter((network) => !compose.networks[network]?.internal);
  for (const name of ['petstore', 'operator'] as const) assert.deepEqual(waysOut(name), ['receivers'], name);
  for (const name of ['database', 'backup'] as const) assert.deepEqual(waysOut(name), [], name);
  // Otherwise it would find each instance at two addresses.
  assert.ok(!waysOut('load-balancer').includes('receivers'));
});

test('the image runs the Node of the lockfile and reports its release', () => {
  const { optionalDependencies, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const nodes = Object.entries<string>(optionalDependencies).filter(([name]) => name.startsWith('node-'));
  assert.ok(nodes.length > 0);
  for (const [name, release] of nodes) assert.equal(dockerfileArguments.NODE_VERSION, release, name);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1]);
  assert.deepEqual(new Set(bases), new Set([`node:\${NODE_VERSION}-slim`, 'service']));
  assert.match(dockerfile, /\nFROM service\n$/, 'the last stage is the service');

  assert.equal(found(dockerfile, /image\.version="([^"]+)"/), version);
  const tag = `petstore-server:${version}`;
  for (const name of ['secrets', 'petstore', 'operator'] as const) {
    assert.equal(compose.services[name].image, tag, name);
  }
  assert.equal(compose.services.backup.image, `petstore-server-backup:${version}`);
  const [, backup] = manifest('kustomization.yaml').images;
  assert.equal(`${backup.name}:${backup.newTag}`, `petstore-server-backup:${version}`);
  const [image] = manifest('kustomization.yaml').images;
  assert.equal(`${image.name}:${image.newTag}`, tag);
  assert.equal(image.name, container.image);
});

test('no image has a floating tag', () => {
  for (const [name, { image }] of Object.entries(compose.services)) {
    assert.match(image, /^[\w./-]+:\d+(?:\.\d+)*(?:-[0-9a-z.]+)?$/, name);
  }
});

test('the files that the image copies exist and are not ignored; data, tests and history are ignored', () => {
  const [everything, ...exceptions] = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(everything, '*');
  const isLetIn = (path: string) =>
    exceptions.some((line) =>
      [line.slice(1), `${line.slice(1)}/**`].some((allowed) => matchesGlob(path, allowed)),
    );
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
    match[1]!.split(' '),
  );
  assert.ok(copied.length >= 7, copied.join(' '));
  for (const path of copied) {
    assert.ok(existsSync(join(ROOT, path)), path);
    assert.ok(isLetIn(path), path);
  }
  for (const path of [
    '.git/config',
    'data/petstore.db',
    'node_modules/x',
    'server/test/x.ts',
    '.npmrc',
    '.env',
  ]) {
    assert.ok(!isLetIn(path), path);
  }
  const { build } = compose.services.secrets;
  assert.ok(existsSync(join(DEPLOY, build!.context, build!.dockerfile)));
});

test('a container has no more rights than it needs, and process 1 is the service', () => {
  const user = [...dockerfile.matchAll(/^USER (\S+)$/gm)].at(-1)?.[1];
  assert.equal(user, '1000:1000');
  assert.match(dockerfile, /^ENTRYPOINT \["petstore-server"\]$/m);
  assert.match(dockerfile, /^CMD \["serve"\]$/m);
  assert.match(dockerfile, /^COPY --from=build --chown=0:0 \/app \/app$/m, 'its code belongs to root');
  assert.deepEqual(pod.securityContext, {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  for (const name of ['secrets', 'petstore', 'operator', 'backup', 'load-balancer'] as const) {
    const { read_only, cap_drop, security_opt } = compose.services[name] as unknown as Record<
      string,
      unknown
    >;
    const rights = [read_only, cap_drop, security_opt];
    assert.deepEqual(rights, [true, ['ALL'], ['no-new-privileges:true']], name);
  }
  const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  assert.deepEqual(
    published.map(([name]) => name),
    ['load-balancer'],
  );
});

test('the largest number of instances has enough connections and places', () => {
  const opened = (file: string, pattern: RegExp) =>
    readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8').match(pattern)?.length ?? 0;
  const requests = opened('store/postgres/connections.ts', /= onServer\(/g);
  const connections = requests + opened('webhooks/sender-worker.ts', /await openEngine\(\)/g);
  const most =
    connections +
    opened('management/management-threads.ts', /new ManagementThread\(/g) +
    opened('management/jobs/jobs-worker.ts', /= openAdmin\(/g);
  assert.ok(requests > 4 && connections > requests && most > connections + 1);
  const { minReplicas, maxReplicas } = manifest('autoscaler.yaml').spec;
  const { maxSurge, maxUnavailable } = deployment.strategy.rollingUpdate;
  assert.equal(minReplicas, deployment.replicas);
  assert.ok((maxReplicas + maxSurge) * connections < DATABASE_CONNECTIONS);
  assert.ok(readPage('docs/growing.md').includes(`So at most ${most} to the primary`), String(most));
  assert.ok(readPage('deploy/README.md').includes(`and ${most} during [management work`));
  assert.equal(maxUnavailable, 0);
  assert.ok(manifest('disruption-budget.yaml').spec.maxUnavailable < deployment.replicas);
  const places = Number(found(haproxy, /^ {4}server-template petstore- (\d+) /m));
  const { replicas } = compose.services.petstore.deploy ?? { replicas: 0 };
  assert.ok(replicas >= 3);
  assert.ok(places >= replicas);
});

test('a service with an autoscaler has its pods again after an upgrade, and while its number is removed', () => {
  const { minReplicas, scaleTargetRef } = manifest('autoscaler.yaml').spec;
  const [, row = ''] = readPage('docs/upgrading.md').match(/^\| Kubernetes \| (push .*)$/m) ?? [];
  const steps = row.split('`').filter((_, index) => index % 2 === 1);
  const scale = `kubectl scale --namespace petstore deploy/${scaleTargetRef.name} --replicas`;
  assert.deepEqual(
    steps.filter((step) => /^kubectl (?:scale|apply)/.test(step)),
    // An autoscaler does nothing where there are no pods.
    [`${scale} 0`, 'kubectl apply --kustomize deploy/kubernetes', `${scale} ${minReplicas}`],
  );
  // An apply that removes the number sets it to one, unless kubectl has forgotten that it was there.
  assert.match(
    textOf('kubernetes/autoscaler.yaml'),
    /^# {3}kubectl apply set-last-applied --filename deploy\/kubernetes\/deployment\.yaml$/m,
  );
});

test('the manifests name one another: labels, secret, files', () => {
  const labels = deployment.template.metadata.labels;
  assert.deepEqual(deployment.selector.matchLabels, labels);
  assert.deepEqual(manifest('service.yaml').spec.selector, labels);
  assert.deepEqual(manifest('disruption-budget.yaml').spec.selector.matchLabels, labels);
  assert.equal(
    manifest('autoscaler.yaml').spec.scaleTargetRef.name,
    manifest('deployment.yaml').metadata.name,
  );
  const secret = (container as unknown as { envFrom: { secretRef: { name: string } }[] }).envFrom[0]
    ?.secretRef.name;
  assert.equal(secret, manifest('secret.example.yaml').metadata.name);
  const listed = new Set<string>(manifest('kustomization.yaml').resources);
  const files = globSync('*.yaml', { cwd: join(DEPLOY, 'kubernetes') });
  const optional = [
    'autoscaler.yaml',
    'backup.yaml',
    'kustomization.yaml',
    'postgres.yaml',
    'secret.example.yaml',
  ];
  assert.deepEqual(listed, new Set(files.filter((file) => !optional.includes(file))));
});

test('the unit starts a file that is there, and keeps data and pepper where only it may write', () => {
  const [start = ''] = settings('ExecStart');
  const [node, launcher, command] = start.replaceAll('/opt/petstore/', '').split(' ') as [
    string,
    string,
    string,
  ];
  assert.ok(existsSync(join(ROOT, node)), node);
  assert.ok(existsSync(join(ROOT, launcher)), launcher);
  assert.equal(command, 'serve');
  assert.match(configOf('systemd').database, /^sqlite:\/var\/lib\/petstore\//);
  assert.deepEqual(settings('StateDirectory(?:Mode)?'), ['petstore', '0700']);
  assert.deepEqual(settings('ProtectSystem'), ['strict']);
  assert.deepEqual(settings('NoNewPrivileges'), ['yes']);
  assert.deepEqual(settings('User'), ['petstore']);
});

test('compose makes its secrets once, and hands the same ones to each instance', async (t) => {
  const folder = temporaryFolder(t);
  const secrets = join(folder, 'secrets');
  const programs = join(folder, 'programs');
  for (const made of [secrets, programs]) mkdirSync(made);
  // Prints its arguments, in place of the service.
  writeFileSync(join(programs, 'petstore-server'), '#!/bin/sh\necho "$*"\nenv\n');
  chmodSync(join(programs, 'petstore-server'), 0o755);
  const path = [programs, dirname(process.execPath), process.env.PATH].join(delimiter);
  const start = async (name: 'secrets' | 'petstore' | 'operator', ...words: string[]) => {
    const here = compose.services[name].entrypoint.map((word) =>
      word
        .replaceAll('$$', '$')
        .replaceAll('/run/petstore', secrets)
        .replaceAll('1000:1000', `${process.getuid?.()}:${process.getgid?.()}`),
    );
    const ended = await run(here[0]!, [...here.slice(1), ...words], folder, { PATH: path });
    assert.equal(ended.code, 0, ended.stderr);
    const [greeting = '', ...lines] = ended.stdout.split('\n');
    return { greeting, given: ours(lines.map((line) => line.split(/=(.*)/s) as [string, string])) };
  };
  await start('secrets');
  const first = await start('petstore', 'serve');
  await start('secrets');
  const second = await start('operator', 'pets', 'import', 'a file.csv');

  assert.deepEqual([first.greeting, second.greeting], ['serve', 'pets import a file.csv']);
  assert.deepEqual(first.given, second.given);
  assert.match(first.given.PETSTORE_PEPPER ?? '', /^[0-9a-f]{64}$/);
  const password = readFileSync(join(secrets, 'database-password'), 'utf8').trim();
  assert.match(password, /^[0-9a-f]{64}$/);
  assert.equal(first.given.PETSTORE_DATABASE, POSTGRES.replace('secret', password));
  assert.doesNotThrow(() => readConfig({ ...environments.compose, ...first.given }));
  for (const name of ['pepper', 'database-password']) {
    assert.equal(statSync(join(secrets, name)).mode & 0o777, 0o600, name);
  }
});

test('the image of backups has the programs of the server that Compose runs', () => {
  const major = dockerfileArguments.POSTGRES_VERSION ?? '';
  assert.equal(compose.services.database.image, `postgres:${major}`);
  assert.equal(compose.services.backup.build?.target, 'backup');
  const stage = /^FROM service AS backup\n([\s\S]*?)^FROM service$/m.exec(dockerfile)?.[1] ?? '';
  assert.match(stage, /"postgresql-client-\$\{POSTGRES_VERSION\}"/);
  assert.match(stage, /^ENV PETSTORE_POSTGRES_TOOLS=\/usr\/lib\/postgresql\/\$\{POSTGRES_VERSION\}\/bin$/m);
  assert.match(stage, /^USER 1000:1000$/m);
});

test('the pod of the runbook that restores a backup meets the pod security standard of the namespace', () => {
  const standard = manifest('namespace.yaml').metadata.labels['pod-security.kubernetes.io/enforce'];
  assert.equal(standard, 'restricted');
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  const { spec } = JSON.parse(/^kubectl run .* --overrides '(.+)' && \\$/m.exec(runbook)?.[1] ?? '');
  assert.deepEqual(spec.securityContext, { ...pod.securityContext, fsGroup: 1000 });
  for (const { securityContext } of spec.containers) {
    assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } });
  }
});

test('a pod of the runbook restores after the last instance is gone, and a failed restore starts none', () => {
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  const [block = ''] = runbook.match(/^kubectl apply --kustomize[^`]+/m) ?? [];
  const scale = 'kubectl scale --namespace petstore deploy/petstore --replicas';
  const selector = Object.entries(deployment.template.metadata.labels).map((label) => label.join('='));
  const steps = block
    .trimEnd()
    .replaceAll('\\\n', '')
    .split('\n')
    .map((line) => line.replace(/^(kubectl run restore) .* (?=&&)/, '$1 ').replaceAll(/ {2,}/g, ' '));
  assert.deepEqual(steps, [
    `kubectl apply --kustomize deploy/kubernetes && ${scale} 0`,
    // An instance drains for seconds, and a restore refuses a database that is in use.
    `kubectl wait --namespace petstore --for=delete pod --selector ${selector.join(',')} --timeout 120s`,
    `kubectl run restore && ${scale} ${deployment.replicas}`,
  ]);
  const helm = [...runbook.matchAll(/`helm (install|upgrade) petstore [^`]*--set replicas=(\d+)`/g)];
  assert.deepEqual(
    helm.map(([, word, replicas]) => [word, Number(replicas)]),
    [
      ['install', 0],
      ['upgrade', parse(textOf('helm/values.yaml')).replicas],
    ],
  );
});

test('the folder of settings of the unit is made before something is put into it', () => {
  const blocks = [textOf('README.md'), readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8')].flatMap((page) =>
    page.split('```').filter((block) => block.includes('/systemd/petstore')),
  );
  const installing = blocks.filter((block) => block.includes('useradd'));
  assert.equal(installing.length, 2);
  for (const block of installing) assert.match(block, /^install -d \/etc\/petstore /m);
});

test('the chart has the alerts and the dashboard themselves, not copies that grow old', () => {
  for (const name of ['alerts.yaml', 'dashboard.json']) {
    assert.equal(realpathSync(join(DEPLOY, 'helm', name)), realpathSync(join(DEPLOY, 'monitoring', name)));
  }
});

test('the schema of the chart has every value that the chart has, and no other', () => {
  const accepts = new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(textOf('helm/values.schema.json')) as object,
  );
  const values = () => parse(textOf('helm/values.yaml')) as Record<string, Record<string, unknown>>;
  assert.ok(accepts(values()), JSON.stringify(accepts.errors));
  assert.ok(accepts({}), 'each value has a default');
  // What Kubernetes gives a form, or is free.
  const open = new Set(['settings', 'resources']);
  const sections = Object.keys(values()).filter((name) => {
    const value = values()[name];
    return typeof value === 'object' && !open.has(name);
  });
  assert.ok(sections.length >= 9, String(sections));
  for (const name of sections) {
    assert.ok(!accepts({ ...values(), [name]: { ...values()[name], enable: true } }), name);
  }
  for (const wrong of [
    { replica: 5 },
    { replicas: '5' },
    { baseUrl: 'stock.shop.example/v1' },
    { secret: '' },
    { settings: { PETSTORE_LOG_LEVEL: { is: 'debug' } } },
  ]) {
    assert.ok(!accepts({ ...values(), ...wrong }), JSON.stringify(wrong));
  }
});

test('the guide of Patroni removes the etcd of the package, whose folder hides the settings of the cluster', () => {
  const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const steps = [
    'apt-get install postgresql-15 patroni etcd-server etcd-client',
    'systemctl stop etcd && rm -rf /var/lib/etcd/default\n',
    '>> /etc/default/etcd\n',
    // It waits for the other servers.
    'systemctl start --no-block etcd\n',
    'systemctl restart patroni\n',
    // patroni.yml has neither the addresses of etcd nor the passwords.
    'set -a && . /etc/patroni/patroni.env && set +a',
    '/opt/patroni/bin/patronictl -c /etc/patroni/patroni.yml list',
  ].map((step) => guide.indexOf(step));
  assert.ok(!steps.includes(-1), String(steps));
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  );
});

test('the job of Kubernetes backs up as the service, into its claim, and gets no requests', async (t) => {
  const [claim, job] = parseAllDocuments(textOf('kubernetes/backup.yaml')).map((one) => one.toJS());
  const { metadata, spec } = job.spec.jobTemplate.spec.template;
  const [backup] = spec.containers;
  assert.equal(backup.envFrom[0].secretRef.name, manifest('secret.example.yaml').metadata.name);
  assert.deepEqual(backup.securityContext, container.securityContext);
  assert.deepEqual({ ...pod.securityContext, fsGroup: 1000 }, spec.securityContext);
  assert.notDeepEqual(metadata.labels, deployment.template.metadata.labels);
  assert.equal(job.spec.concurrencyPolicy, 'Forbid');
  const volume = spec.volumes.find((one: { name: string }) => one.name === 'backups');
  assert.equal(volume.persistentVolumeClaim.claimName, claim.metadata.name);
  const mount = backup.volumeMounts.find((one: { name: string }) => one.name === 'backups');
  const { image } = compose.services.backup;
  assert.equal(image.split(':')[0], backup.image);

  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const words = (backup.args as string[]).map((word) => (word === mount.mountPath ? folder : word));
  const { code, stdout } = await cli(...words);
  assert.equal(code, 0);
  assert.deepEqual((JSON.parse(stdout) as { faults: unknown }).faults, []);
});

test('Compose backs up again and again, also after a failure, and ends when it is told to', async (t) => {
  const folder = temporaryFolder(t);
  const [secrets, programs] = [join(folder, 'secrets'), join(folder, 'programs')];
  for (const made of [secrets, programs]) mkdirSync(made);
  for (const name of ['pepper', 'database-password']) writeFileSync(join(secrets, name), 'x\n');
  const log = join(folder, 'log');
  // The first backup fails, and the third does not end by itself.
  writeFileSync(
    join(programs, 'petstore-server'),
    `#!/bin/sh\necho "$*" >> ${log}\ncase $(wc -l < ${log}) in 1) exit 1;; 3) exec tail -f /dev/null;; esac\n`,
  );
  writeFileSync(join(programs, 'sleep'), '#!/bin/sh\nexit 0\n');
  for (const name of ['petstore-server', 'sleep']) chmodSync(join(programs, name), 0o755);
  const words = compose.services.backup.entrypoint.map((word) =>
    word.replaceAll('$$', '$').replaceAll('/run/petstore', secrets),
  );
  const env = { PATH: [programs, process.env.PATH].join(delimiter) };
  const child = spawn(words[0] as string, words.slice(1), { env, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until(() => existsSync(log) && readFileSync(log, 'utf8').split('\n').length > 3, 'three backups');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.equal(readFileSync(log, 'utf8'), 'backup --to /backups --keep 14d\n'.repeat(3));
  const { stdout } = await run(words[0] as string, [...words.slice(1), 'restore', 'a file'], folder, env);
  assert.equal(stdout, '');
  assert.match(readFileSync(log, 'utf8'), /\nrestore a file\n$/);
});

test('an image is made only of a service that starts', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const script = join(DEPLOY, 'first-start.js');
  const good = await run(process.execPath, [script], folder, environmentOf(folder));
  assert.deepEqual([good.code, good.stderr], [0, '']);
  const broken = environmentOf(folder, { PETSTORE_LOG_LEVEL: 'nonsense' });
  const bad = await run(process.execPath, [script], folder, broken);
  assert.notEqual(bad.code, 0);
  assert.match(bad.stderr, /PETSTORE_LOG_LEVEL must be one of/);
});
