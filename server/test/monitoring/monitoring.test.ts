import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { findProgram } from '../postgres/faults/load-balancer.ts';
import { type Expression, type Matcher, parsePromql } from './promql.ts';
import { type Metrics, scrapedMetrics } from './scraped-metrics.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { ADMIN_DOCUMENT, DOCUMENT, operationsIn } from '../support/openapi-document.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'deploy/monitoring');
/** Labels that aggregations of recording rules and of Prometheus itself have. */
const OWN_SERIES = /^(?:up|ALERTS|petstore:.+)$/;
/** Metrics whose labels have values only after requests of that kind. */
const STATUS = /^(?:[1-5]\.\.|[1-5]\d\d)$/;
const GRID_WIDTH = 24;
/** Where the documentation of a service shows the section of an alert. */
const SECTION_URL = 'http://localhost:8080/docs/runbook#';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

const textOf = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const rules = (parse(textOf('alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules: all }) => all,
);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const dashboard = JSON.parse(textOf('dashboard.json')) as {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
};
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');

/** Every alternative of a matcher has to match a value that exists, or it would be a misspelling. */
function assertValues(known: ReadonlySet<string>, { label, operator, value }: Matcher, where: string): void {
  const alternatives = operator.endsWith('~') ? value.split('|') : [value];
  for (const alternative of alternatives) {
    const pattern = new RegExp(`^(?:${alternative})$`);
    const isKnown =
      label === 'status' ? STATUS.test(alternative) : [...known].some((one) => pattern.test(one));
    assert.ok(
      isKnown || label === 'instance' || alternative === 'dashboard',
      `${label}="${alternative}" ${where}`,
    );
  }
}

function assertExists(metrics: Metrics, { selectors, groupings }: Expression, where: string): void {
  assert.ok(selectors.length > 0, where);
  const own = selectors.filter(({ metric }) => !OWN_SERIES.test(metric));
  for (const { metric, matchers } of own) {
    const labels = metrics.get(metric);
    assert.ok(labels, `${metric} does not exist: ${where}`);
    for (const matcher of matchers) {
      const known = labels.get(matcher.label);
      assert.ok(known, `${metric} has no label ${matcher.label}: ${where}`);
      assertValues(known, matcher, where);
    }
  }
  for (const label of groupings) {
    assert.ok(
      own.every(({ metric }) => metrics.get(metric)?.has(label)),
      `by ${label}: ${where}`,
    );
  }
}

test('every metric, label and value of the alerts and the dashboard exists in the output of the service', async (t) => {
  const metrics = await scrapedMetrics(t);
  const annotations = dashboard.annotations.list;
  const expressions = [...rules, ...targets, ...annotations].map(({ expr }) => expr);
  assert.ok(expressions.length > 60);
  for (const expr of expressions) assertExists(metrics, parsePromql(expr), expr);
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
  const used = expressions.flatMap((expr) => parsePromql(expr).selectors.map(({ metric }) => metric));
  for (const metric of used) assert.ok(!metric.includes(':') || recorded.has(metric), metric);
  const shown = new Set(used.map((metric) => metric.replace(/_(?:bucket|sum|count)$/, '')));
  const missing = [...metrics.keys()].filter(
    (metric) => !shown.has(metric.replace(/_(?:bucket|sum|count)$/, '')),
  );
  assert.deepEqual(missing, [], 'a metric that no panel, rule or annotation shows');
});

test('the check notices a metric, a label, a value and a syntax that are wrong', () => {
  const metrics: Metrics = new Map([['petstore_x_total', new Map([['reason', new Set(['conflict'])]])]]);
  const check = (expr: string) => () => assertExists(metrics, parsePromql(expr), expr);
  check('sum by (reason) (rate(petstore_x_total{reason=~"conf.*"}[5m]))')();
  assert.throws(check('petstore_y_total'), /petstore_y_total does not exist/);
  assert.throws(check('petstore_x_total{code="conflict"}'), /no label code/);
  assert.throws(check('petstore_x_total{reason=~"conflict|conflikt"}'), /reason="conflikt"/);
  assert.throws(check('sum by (code) (petstore_x_total)'), /by code/);
  assert.throws(check('sum(rate(petstore_x_total[5m])'), /no PromQL/);
});

test('every alert has a severity and a section of the runbook with all its parts, and no section is without one', () => {
  const sections = new Map(
    runbook
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.split('\n', 1)[0] ?? '', section]),
  );
  for (const { alert = '', labels, annotations } of alerts) {
    assert.match(labels?.severity ?? '', /^(?:page|ticket)$/, alert);
    assert.ok(annotations?.summary, alert);
    assert.equal(annotations?.runbook_url, `${SECTION_URL}${alert.toLowerCase()}`);
    const section = sections.get(alert) ?? '';
    for (const part of [
      /\*\*Means\*\*/,
      /\*\*Customers see\*\*|\*\*Look\*\* and/,
      /\*\*Look\*\*/,
      /\*\*[Dd]o\*\*/,
    ]) {
      assert.match(section, part, alert);
    }
    sections.delete(alert);
  }
  assert.deepEqual([...sections.keys()], []);
  for (const [, anchor = ''] of runbook.matchAll(/\]\(#([a-z]+)\)/g)) {
    const isAlert = alerts.some(({ alert = '' }) => alert.toLowerCase() === anchor);
    assert.ok(isAlert || anchor === 'commands', anchor);
  }
});

test('no costly operation, and none that waits for another side, makes the service slow for the alert and the dashboard', () => {
  const { expr = '' } = alerts.find(({ alert }) => alert === 'PetstoreSlow') ?? {};
  const [, leftOut = ''] = /operation!~"([^"]+)"/.exec(expr) ?? [];
  const alternatives = leftOut.split('|');
  const isLeftOut = (name: string) =>
    alternatives.some((one) => (one.split('.*').length === 1 ? one === name : matchesEnds(one, name)));
  const costly = [DOCUMENT, ADMIN_DOCUMENT]
    .flatMap(operationsIn)
    .flatMap(({ operation }) => (operation['x-costly'] ? [operation.operationId] : []));
  assert.ok(costly.length > 20);
  const waiting = ['testWebhookEndpoint', 'resendWebhookEvent'];
  assert.deepEqual(
    [...costly, ...waiting].filter((name) => !isLeftOut(name)),
    [],
  );
  assert.ok(!isLeftOut('placeOrder') && !isLeftOut('listInventory'));
  const others = targets.filter((target) => target.expr.includes('|auditLedger|'));
  assert.equal(others.length, 4);
  for (const other of others) assert.ok(other.expr.includes(`operation!~"${leftOut}"`), other.expr);
});

/** Whether a name fits a pattern such as `export.*`. */
function matchesEnds(pattern: string, name: string): boolean {
  const [start = '', end = ''] = pattern.split('.*');
  return name.startsWith(start) && name.endsWith(end);
}

test('each command of the runbook names what deploy/ has', () => {
  const rows = runbook.split('\n').filter((line) => /^\| \w[\w ?]* \| .+`/.test(line));
  const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');
  const { services } = parse(read('compose.yaml')) as { services: Record<string, object> };
  const { metadata } = parse(read('kubernetes/deployment.yaml')) as {
    metadata: { name: string; namespace: string; labels: Record<string, string> };
  };
  const names: readonly (readonly [program: RegExp, name: RegExp, known: readonly string[]])[] = [
    [/^systemctl /, /^systemctl [\w-]+ (\w+)/, ['petstore']],
    [/^journalctl /, /--unit (\w+)/, ['petstore']],
    [/^docker compose /, /(?:restart|stop|--since 1h|run --rm) (\w+)/, Object.keys(services)],
    [/^kubectl /, /deploy\/(\w+)/, [metadata.name]],
  ];
  const commands = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command));
  assert.ok(rows.length >= 9 && commands.length >= 27);
  for (const command of commands) {
    const [, pattern = /$^/, known = []] = names.find(([program]) => program.test(command)) ?? [];
    const name = pattern.exec(command)?.[1];
    if (name !== undefined) assert.ok(known.includes(name), command);
    if (command.startsWith('kubectl') && !command.includes('--raw')) {
      assert.ok(command.includes(`--namespace ${metadata.namespace}`), command);
    }
    for (const [, file = ''] of command.matchAll(/--file deploy\/(\S+)/g)) assert.ok(read(file));
  }
  assert.match(runbook, new RegExp(`name=${metadata.labels['app.kubernetes.io/name']} `));
});

test('the runbook names panels that the dashboard has', () => {
  const titles = dashboard.panels.map(({ title }) => title);
  const named = runbook.split('\n').flatMap((line) => {
    const before = line.split(' in Grafana', 1)[0] ?? '';
    return before === line ? [] : [...before.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  });
  assert.ok(named.length >= 5);
  for (const name of named) assert.ok(titles.includes(name), name);
});

test('the dashboard can be imported: data source by a variable, panels that neither overlap nor share an id', () => {
  assert.deepEqual(
    dashboard.templating.list.map(({ name, type }) => [name, type]),
    [
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ],
  );
  const cells = new Set<string>();
  for (const { id, title, type, gridPos, datasource } of dashboard.panels) {
    assert.equal(dashboard.panels.filter((other) => other.id === id).length, 1, title);
    assert.ok(gridPos.x + gridPos.w <= GRID_WIDTH, title);
    if (type !== 'row') assert.equal(datasource?.uid, `\${datasource}`, title);
    for (let place = 0; place < gridPos.w * gridPos.h; place += 1) {
      const cell = `${gridPos.x + (place % gridPos.w)},${gridPos.y + Math.floor(place / gridPos.w)}`;
      assert.ok(!cells.has(cell), title);
      cells.add(cell);
    }
  }
  for (const { datasource, expr } of targets) assert.equal(datasource.uid, `\${datasource}`, expr);
});

test('each alert has a case in which it fires', async (t) => {
  const files = ['alerts.test.yaml', 'alerts-of-days.test.yaml'];
  const cases = files.map(textOf).join('\n');
  for (const { alert = '' } of alerts) assert.ok(cases.includes(`{alertname="${alert}"}`), alert);
  const promtool = findProgram('promtool');
  const skip = promtool === undefined && 'promtool is not installed: the cases are not run';
  await t.test('promtool runs the cases', { skip }, (t) => {
    if (isSkippedDaily(t)) return;
    const words = [
      ['check', 'config', 'prometheus.yaml'],
      ['test', 'rules', ...files],
    ];
    for (const command of words) execFileSync(promtool as string, command, { cwd: FOLDER, stdio: 'pipe' });
  });
});
