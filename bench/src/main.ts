import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Bench } from './compare.ts';
import { chooseCpuMeter } from './cpu.ts';
import { measureCatalog, measurePostgresCatalog } from './measurements/catalog.ts';
import { measureChange, measureSingleChange } from './measurements/change.ts';
import { measureDashboard } from './measurements/dashboard/dashboard.ts';
import { measureHundredThousand, measureIdle } from './measurements/hundred-thousand.ts';
import { measureImports, measurePostgresImports } from './measurements/imports.ts';
import { measureLedgerCosts, measureLedgerSize, measureTenMillion } from './measurements/ledger.ts';
import { measureList, measureListOnBun, measureNotModified } from './measurements/list.ts';
import { measureListUnderWrites } from './measurements/list-under-writes.ts';
import { measureLiveReaders } from './measurements/live-readers.ts';
import {
  measurePostgresSearch,
  measurePostgresUsage,
  measureSearch,
  measureUsage,
} from './measurements/management.ts';
import { measureMillion } from './measurements/million.ts';
import { measureMixedLoad } from './measurements/mixed-load.ts';
import {
  measureOrderExpiry,
  measureOrderPages,
  measureOrders,
  measurePostgresOrderExpiry,
  measurePostgresOrders,
} from './measurements/orders.ts';
import { measureOverload, measurePostgresOverload } from './measurements/overload.ts';
import { measurePackage } from './measurements/package.ts';
import { measureTraces } from './measurements/traces.ts';
import { measurePostgresChange } from './measurements/postgres-change.ts';
import { measurePostgresInstances } from './measurements/postgres-instances.ts';
import { measurePostgresList } from './measurements/postgres-list.ts';
import {
  measurePostgresFresh,
  measurePostgresIdle,
  measurePostgresImport,
  measurePostgresSize,
} from './measurements/postgres-shop.ts';
import {
  measureFailingReceivers,
  measureWebhookCosts,
  measureWebhookMemory,
  measureWebhooks,
} from './measurements/webhooks.ts';
import { sharedPostgres } from './postgres.ts';
import { markdown, type Row, unmeasured } from './report.ts';

const MEASUREMENTS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  list: measureList,
  'list-bun': measureListOnBun,
  catalog: measureCatalog,
  'not-modified': measureNotModified,
  change: measureChange,
  'change-single': measureSingleChange,
  'list-under-writes': measureListUnderWrites,
  '100k': measureHundredThousand,
  '1m': measureMillion,
  idle: measureIdle,
  package: measurePackage,
  'mixed-load': measureMixedLoad,
  'ledger-costs': measureLedgerCosts,
  'ledger-1m': measureLedgerSize,
  'ledger-10m': measureTenMillion,
  'live-readers': measureLiveReaders,
  orders: measureOrders,
  'orders-1m': measureOrderPages,
  'orders-expiry': measureOrderExpiry,
  overload: measureOverload,
  imports: measureImports,
  search: measureSearch,
  traces: measureTraces,
  dashboard: measureDashboard,
  usage: measureUsage,
  webhooks: measureWebhooks,
  'webhooks-costs': measureWebhookCosts,
  'webhooks-failing': measureFailingReceivers,
  'webhooks-memory': measureWebhookMemory,
  'postgres-list': measurePostgresList,
  'postgres-catalog': measurePostgresCatalog,
  'postgres-change': measurePostgresChange,
  'postgres-orders': measurePostgresOrders,
  'postgres-expiry': measurePostgresOrderExpiry,
  'postgres-overload': measurePostgresOverload,
  'postgres-instances': measurePostgresInstances,
  'postgres-import': measurePostgresImport,
  'postgres-imports': measurePostgresImports,
  'postgres-search': measurePostgresSearch,
  'postgres-usage': measurePostgresUsage,
  'postgres-fresh': measurePostgresFresh,
  'postgres-idle': measurePostgresIdle,
  'postgres-size': measurePostgresSize,
};

/** Too long for a run of all. */
const ONLY_BY_NAME = ['mixed-load'];

const HELP = `Usage: npm run bench -- [options]

Measures the service against baselines in the same run and prints a Markdown table.

  --only NAME      one measurement (may be repeated): ${Object.keys(MEASUREMENTS).join(', ')};
                   or all whose names begin with it: postgres; ${ONLY_BY_NAME.join(', ')} runs only if it is named
  --seconds N      load on each side in each round (default 1)
  --minutes N      the length of mixed-load (default 10)
  --quick          half the time: 4 rounds instead of 7, 0.8 s each
  --json FILE      writes the rows to a file too
  --service FILE   another launcher of the service, for example of another checkout
  --help           this text

Ends with 1 when something could not be measured; a target that is missed is a result, not an error.`;

type Measurement = [name: string, measure: (bench: Bench) => Promise<Row[]>];

interface Options {
  readonly chosen: readonly Measurement[];
  readonly seconds: number;
  readonly rounds: number;
  readonly minutes: number;
  readonly json: string | undefined;
  readonly service: string;
  readonly help: boolean;
}

/** A measurement's own name, or the first word of several, such as `postgres`. */
function namesOf(only: string): string[] {
  if (Object.hasOwn(MEASUREMENTS, only)) return [only];
  return Object.keys(MEASUREMENTS).filter((name) => name.startsWith(`${only}-`));
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      service: {
        type: 'string',
        default: fileURLToPath(new URL('../../server/bin/petstore-server.js', import.meta.url)),
      },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = values.only?.find((name) => namesOf(name).length === 0);
  if (unknown !== undefined) throw new Error(`Unknown measurement "${unknown}"; see --help.`);
  const chosen =
    values.only?.flatMap(namesOf) ?? Object.keys(MEASUREMENTS).filter((name) => !ONLY_BY_NAME.includes(name));
  const seconds = Number(values.seconds ?? (values.quick ? 0.8 : 1));
  if (!(seconds >= 0.2 && seconds <= 60)) throw new Error('--seconds takes a number from 0.2 to 60.');
  const minutes = Number(values.minutes);
  if (!(minutes >= 0.1 && minutes <= 1_000)) throw new Error('--minutes takes a number from 0.1 to 1000.');
  return {
    chosen: Object.entries(MEASUREMENTS).filter(([name]) => chosen.includes(name)),
    seconds,
    rounds: values.quick ? 4 : 7,
    minutes,
    json: values.json,
    service: resolve(values.service),
    help: values.help,
  };
}

async function measureAll(
  bench: Bench,
  chosen: readonly Measurement[],
): Promise<{ rows: Row[]; failed: number }> {
  const rows: Row[] = [];
  let failed = 0;
  for (const [name, measure] of chosen) {
    const startedAtMs = performance.now();
    try {
      rows.push(...(await measure(bench)));
    } catch (error) {
      failed += 1;
      rows.push(unmeasured(name, 'failed'));
      console.error(`${name} failed:`, error);
    }
    console.error(`${name}: ${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
  }
  return { rows, failed };
}

async function main({ chosen, seconds, rounds, minutes, json, service }: Options): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

  const meter = await chooseCpuMeter();
  await using postgres = sharedPostgres();
  const bench = { directory, service, meter, seconds, rounds, minutes, postgres: postgres.server };
  const { rows, failed } = await measureAll(bench, chosen);

  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, Node ${process.versions.node}`;
  console.log(`\n${machine}; ${rounds} rounds of ${seconds} s per side, median (least to greatest).`);
  console.log(`Cost of a request: ${meter.explanation}.\n`);
  console.log(markdown(rows));
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify({ machine, rounds, seconds, unit: meter.unit, rows }, null, 2)}\n`);
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else await main(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
