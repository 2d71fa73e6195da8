import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseCpuMeter } from '../cpu.ts';
import { sharedPostgres } from '../postgres.ts';
import type { Engine } from '../shop.ts';
import { measurePairs } from './measure.ts';
import { pairsTable, rowLine, slowed } from './table.ts';

const ENGINES: readonly Engine[] = ['SQLite', 'PostgreSQL'];
const SERVICE = fileURLToPath(new URL('../../../server/bin/petstore-server.js', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/figures.md', import.meta.url));
const MARKED = /(<!-- pairs: [^\n]* -->\n).*?(<!-- end of pairs -->)/s;

const HELP = `Usage: npm run bench:pairs -- [options]

Makes one part of the service after the other slow or failing, and measures the others meanwhile, and
right before and after. Ends with 1 when one is slowed by more than the bound.

  --engine NAME    SQLite or PostgreSQL; both by default
  --only WORDS     only what these words are in, such as "imports"; repeatable
  --beside NAME    measures only this part meanwhile, such as "import"; repeatable
  --seconds N      of each window (default 2)
  --rounds N       disturbed windows, each with an undisturbed one before and after (default 5)
  --write          writes the tables to docs/figures.md, of a run of all
  --help           this text`;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    beside: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];

try {
  if (values.help) process.stdout.write(`${HELP}\n`);
  else await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** @throws Error for a run that would measure nothing, or that would take rows from the page. */
function requireMeasurable(): void {
  if (values.engine !== undefined && !ENGINES.some((engine) => engine === values.engine))
    throw new Error(`--engine takes ${ENGINES.join(' or ')}.`);
  if (!(seconds >= 0.2 && seconds <= 60)) throw new Error('--seconds takes a number from 0.2 to 60.');
  if (!(Number.isInteger(rounds) && rounds >= 1)) throw new Error('--rounds takes a number of 1 or more.');
  const isPart = values.engine !== undefined || values.only.length + values.beside.length > 0;
  if (values.write && isPart)
    throw new Error('--write replaces all tables of the page, so it needs all measurements.');
}

async function main(): Promise<void> {
  requireMeasurable();
  const directory = mkdtempSync(join(tmpdir(), 'petstore-pairs-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const engines = ENGINES.filter((engine) => values.engine === undefined || values.engine === engine);
  const meter = await chooseCpuMeter();
  await using postgres = sharedPostgres();
  const bench = { directory, service: SERVICE, meter, seconds, rounds, postgres: postgres.server };
  const tables: string[] = [];
  for (const engine of engines) {
    const pairs = await measurePairs(bench, engine, {
      only: values.only,
      beside: values.beside,
      onRow: (row) => process.stderr.write(`${engine} ${rowLine(row, [...row.pairs.keys()])}\n`),
    });
    tables.push(pairsTable(pairs));
    for (const sentence of slowed(pairs)) {
      process.exitCode = 1;
      process.stderr.write(`${sentence}\n`);
    }
  }
  const machine = `${cpus().length} x ${cpus()[0]?.model}, Node ${process.versions.node}, load average ${loadavg()[0]?.toFixed(0)}; ${rounds} rounds with windows of ${seconds} s.`;
  const text = `${machine} CPU time: ${meter.explanation}.\n\n${tables.join('\n\n')}\n`;
  if (values.write) writePage(text);
  process.stdout.write(text);
}

function writePage(text: string): void {
  const page = readFileSync(PAGE, 'utf8');
  if (!MARKED.test(page)) throw new Error(`${PAGE} has no place for the tables`);
  writeFileSync(
    PAGE,
    page.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${text}\n${end}`),
  );
}
