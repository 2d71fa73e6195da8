import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { temporaryFolder } from '../support/command-line.ts';

const DEPLOY = fileURLToPath(new URL('../../../deploy', import.meta.url));
const CHART = join(DEPLOY, 'helm');
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.19.0';

const ALL = [
  'autoscaler.enabled=true',
  'ingress.enabled=true',
  'serviceMonitor.enabled=true',
  'prometheusRule.enabled=true',
  'grafanaDashboard.enabled=true',
  'baseUrl=https://stock.shop.example/v1',
  'networkPolicy.enabled=true',
  'networkPolicy.from[0].namespaceSelector.matchLabels.name=ingress',
  'backup.enabled=true',
  'verify.enabled=true',
  'prune.enabled=true',
  'settings.PETSTORE_LOG_LEVEL=debug',
].flatMap((setting) => ['--set', setting]);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has another form.
  readonly spec: any;
  /** Of a ConfigMap. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Helm from the path, or built from the proxy of Go; `undefined`, loudly, without both. */
function findHelm(t: TestContext): string | undefined {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' });
    return 'helm';
  } catch {}
  const folder = temporaryFolder(t);
  try {
    execFileSync('go', ['install', HELM], { env: { ...process.env, GOBIN: folder }, stdio: 'pipe' });
    return join(folder, 'helm');
  } catch (error) {
    const reason = `Helm is neither installed nor built: ${String(error).slice(0, 300)}`;
    t.diagnostic(reason);
    t.skip(reason);
    return undefined;
  }
}

test('the chart passes lint, and renders what deploy/kubernetes has, and all options', (t) => {
  const helm = findHelm(t);
  if (helm === undefined) return;
  const run = (...words: string[]) => execFileSync(helm, words, { encoding: 'utf8', stdio: 'pipe' });
  const render = (...words: string[]): Manifest[] =>
    parseAllDocuments(run('template', 'petstore', CHART, '--kube-version', '1.31.0', ...words))
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null);
  for (const words of [[], ALL]) run('lint', '--strict', CHART, ...words);

  const plain = render();
  assert.deepEqual(plain.map(({ kind }) => kind).toSorted(), [
    'Deployment',
    'PodDisruptionBudget',
    'Service',
  ]);
  const of = (manifests: readonly Manifest[], kind: string) =>
    manifests.find((manifest) => manifest.kind === kind) as Manifest;
  const manifestOf = (name: string) =>
    parse(readFileSync(join(DEPLOY, 'kubernetes', name), 'utf8')) as Manifest;
  const [ours, theirs] = [of(plain, 'Deployment'), manifestOf('deployment.yaml')];
  const podOf = ({ spec }: Manifest) => {
    const { topologySpreadConstraints: _, containers, ...pod } = spec.template.spec;
    const [{ image: __, ...container }] = containers;
    return { ...pod, container };
  };
  assert.deepEqual(podOf(ours), podOf(theirs));
  assert.deepEqual(ours.spec.strategy, theirs.spec.strategy);
  const { appVersion } = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { appVersion: string };
  assert.equal(ours.spec.template.spec.containers[0].image, `petstore-server:${appVersion}`);

  const all = render(...ALL);
  assert.deepEqual(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted(), [
    'ConfigMap petstore-dashboard',
    'CronJob petstore-backup',
    'CronJob petstore-prune',
    'CronJob petstore-verify',
    'Deployment petstore',
    'HorizontalPodAutoscaler petstore',
    'Ingress petstore',
    'NetworkPolicy petstore',
    'PodDisruptionBudget petstore',
    'PrometheusRule petstore',
    'Service petstore',
    'ServiceMonitor petstore',
  ]);
  const monitoring = (name: string) => readFileSync(join(DEPLOY, 'monitoring', name), 'utf8');
  const rules = monitoring('alerts.yaml').replaceAll('http://localhost:8080', 'https://stock.shop.example');
  assert.deepEqual(of(all, 'PrometheusRule').spec, parse(rules));
  assert.deepEqual(
    JSON.parse(of(all, 'ConfigMap').data?.['petstore.json'] ?? ''),
    JSON.parse(monitoring('dashboard.json')),
  );
  assert.equal(of(all, 'Deployment').spec.replicas, undefined, 'the autoscaler sets it');
  const environment = of(all, 'Deployment').spec.template.spec.containers[0].env as {
    name: string;
    value: string;
  }[];
  const config = readConfig({
    ...Object.fromEntries(environment.map(({ name, value }) => [name, value])),
    PETSTORE_DATABASE: 'postgres://petstore:secret@database:5432/petstore',
  });
  assert.equal(config.logLevel, 'debug');
  const jobs = all.filter(({ kind }) => kind === 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template);
  const commands = jobs.map(({ spec }) => (spec.containers[0].args as string[]).join(' ')).toSorted();
  assert.deepEqual(commands, [
    'backup --to /backups --keep 14d --json',
    'movements prune --keep-days 730 --yes --json',
    'verify --json',
  ]);
  const backup = jobs.find(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === 'petstore-backup');
  assert.equal(backup?.spec.containers[0].image, `petstore-server-backup:${appVersion}`);
  const manifests = parseAllDocuments(readFileSync(join(DEPLOY, 'kubernetes', 'backup.yaml'), 'utf8'));
  const applied = manifests.map((document) => document.toJS() as Manifest);
  const podOfJob = ({ spec }: Manifest) => {
    const { jobTemplate, ...schedule } = spec;
    const { template, ...job } = jobTemplate.spec;
    const [{ image: _, ...container }] = template.spec.containers;
    return { ...schedule, ...job, ...template.spec, containers: [container] };
  };
  assert.deepEqual(podOfJob(of(all, 'CronJob')), podOfJob(of(applied, 'CronJob')));
  for (const { metadata } of jobs) {
    assert.notEqual(metadata.labels['app.kubernetes.io/name'], 'petstore', 'a job gets no requests');
  }
});

test('a values file writes numbers, and the chart passes on their digits', (t) => {
  const helm = findHelm(t);
  if (helm === undefined) return;
  const values = join(temporaryFolder(t), 'values.yaml');
  writeFileSync(
    values,
    `image: { tag: 20270131, pullSecrets: [registry] }
settings: { PETSTORE_MAX_IMPORT_BYTES: 536870912, PETSTORE_ORDER_HOLD: 1800, PETSTORE_ALLOW_HTTP_SESSIONS: true }
backup: { enabled: true }
prune: { enabled: true, keepDays: 1000000 }
`,
  );
  const words = ['template', 'petstore', CHART, '--kube-version', '1.31.0', '--values', values];
  const manifests = parseAllDocuments(execFileSync(helm, words, { encoding: 'utf8', stdio: 'pipe' }))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
  const pods = manifests
    .map(({ spec }) => (spec?.jobTemplate ? spec.jobTemplate.spec : spec)?.template?.spec)
    .filter((pod) => pod !== undefined);
  assert.deepEqual(
    pods.map(({ containers: [{ image, args = [] }], imagePullSecrets }) => [
      image,
      args.join(' '),
      imagePullSecrets,
    ]),
    [
      ['petstore-server:20270131', '', [{ name: 'registry' }]],
      ['petstore-server-backup:20270131', 'backup --to /backups --keep 14d --json', [{ name: 'registry' }]],
      [
        'petstore-server:20270131',
        'movements prune --keep-days 1000000 --yes --json',
        [{ name: 'registry' }],
      ],
    ],
  );
  const [{ containers }] = pods;
  const settings = (containers[0].env as { name: string; value: string }[]).map(({ name, value }) => [
    name,
    value,
  ]);
  const config = readConfig({
    ...Object.fromEntries(settings),
    PETSTORE_DATABASE: 'postgres://petstore:secret@database:5432/petstore',
  });
  assert.deepEqual(
    [config.maxImportBytes, config.orderHoldSeconds, config.allowHttpSessions],
    [536_870_912, 1_800, true],
  );
});

test('a setting takes the place of what the chart sets, and a pod waits for as long as it drains', (t) => {
  const helm = findHelm(t);
  if (helm === undefined) return;
  const podOf = (...settings: string[]) => {
    const words = settings.flatMap((setting) => ['--set', `settings.${setting}`]);
    const rendered = execFileSync(
      helm,
      ['template', 'petstore', CHART, '--kube-version', '1.31.0', ...words],
      {
        encoding: 'utf8',
        stdio: 'pipe',
      },
    );
    const { spec } = parseAllDocuments(rendered)
      .map((document) => document.toJS() as Manifest | null)
      .find((manifest) => manifest?.kind === 'Deployment') as Manifest;
    const pod = spec.template.spec;
    const env = pod.containers[0].env as { name: string; value: string }[];
    assert.equal(new Set(env.map(({ name }) => name)).size, env.length, 'each name once');
    return [
      pod.terminationGracePeriodSeconds,
      ...['PETSTORE_DRAIN_DELAY', 'PETSTORE_DRAIN_TIMEOUT', 'PETSTORE_BASE_URL'].map(
        (wanted) => env.find(({ name }) => name === wanted)?.value,
      ),
    ];
  };
  assert.deepEqual(podOf(), [40, '10', '15', 'https://petstore.example/v1']);
  assert.deepEqual(podOf('PETSTORE_DRAIN_TIMEOUT=60', 'PETSTORE_BASE_URL=https://a.example/v1'), [
    85,
    '10',
    '60',
    'https://a.example/v1',
  ]);
  assert.deepEqual(podOf('PETSTORE_DRAIN_DELAY=0', 'PETSTORE_DRAIN_TIMEOUT=0.5').slice(0, 3), [
    16,
    '0',
    '0.5',
  ]);
});

test('a misspelt value of the chart is refused by its name', (t) => {
  const helm = findHelm(t);
  if (helm === undefined) return;
  for (const [value, name] of [
    ['replica=5', 'replica'],
    ['backup.enable=true', 'enable'],
  ] as const) {
    const words = ['template', 'petstore', CHART, '--kube-version', '1.31.0', '--set', value];
    assert.throws(() => execFileSync(helm, words, { encoding: 'utf8', stdio: 'pipe' }), {
      message: new RegExp(`additional propert.*'?${name}`, 'i'),
    });
  }
});

test('an upgrade with an autoscaler keeps the pods that run, and starts those of a stopped service', async (t) => {
  const helm = findHelm(t);
  if (helm === undefined) return;
  let live: number | undefined;
  // What Helm asks a cluster for.
  const cluster = createServer(({ url = '' }, response) => {
    const [path] = url.split('?');
    const answers: Readonly<Record<string, object | undefined>> = {
      '/version': { major: '1', minor: '31', gitVersion: 'v1.31.0' },
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
      '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
      '/apis/apps/v1': {
        kind: 'APIResourceList',
        groupVersion: 'apps/v1',
        resources: [
          {
            name: 'deployments',
            singularName: 'deployment',
            namespaced: true,
            kind: 'Deployment',
            verbs: ['get'],
          },
        ],
      },
      '/apis/apps/v1/namespaces/petstore/deployments/petstore':
        live === undefined
          ? undefined
          : {
              apiVersion: 'apps/v1',
              kind: 'Deployment',
              metadata: { name: 'petstore', namespace: 'petstore' },
              spec: { replicas: live },
            },
    };
    const found = answers[path ?? ''];
    const none = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? none));
  }).listen(0, '127.0.0.1');
  t.after(() => cluster.close());
  await once(cluster, 'listening');
  const { port } = cluster.address() as AddressInfo;
  const words = [
    'template',
    'petstore',
    CHART,
    '--namespace',
    'petstore',
    '--kube-version',
    '1.31.0',
    '--dry-run=server',
  ];
  const replicasOf = async (...more: string[]) => {
    const { stdout } = await promisify(execFile)(helm, [...words, ...more], {
      env: { ...process.env, HELM_KUBEAPISERVER: `http://127.0.0.1:${port}`, HOME: temporaryFolder(t) },
    });
    const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
    return manifests.find((manifest) => manifest?.kind === 'Deployment')?.spec.replicas as number | undefined;
  };
  const scaled = ['--set', 'autoscaler.enabled=true'];
  assert.equal(await replicasOf(...scaled), undefined, 'the autoscaler sets it');
  for (const [now, expected] of [
    [7, 7],
    [3, 3],
    [0, 3],
  ] as const) {
    live = now;
    assert.equal(await replicasOf(...scaled), expected, String(now));
  }
  assert.equal(await replicasOf(), 3, 'without an autoscaler the number of the values');
});
