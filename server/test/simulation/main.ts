import { parseArgs } from 'node:util';
import { Simulation } from './simulation.ts';

// The service makes errors for most refusals. Only their messages are used here.
Error.stackTraceLimit = 0;

let running = 0;

const HELP = `node server/test/simulation/main.ts [--seed N] [--count N] [--steps N] [--traces]

Simulates a shop with random commands, faults and restarts, and checks it. Ends with 1 at the first seed with a violation.

  --seed N   the first seed (1)
  --count N  so many seeds (1)
  --steps N  steps of each (1000)
  --traces   prints the hash of the trace of each seed
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000' },
    traces: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** A task of the service that ends by an error is a violation too. */
process.once('unhandledRejection', (error) => {
  process.stdout.write(`seed ${running}, step unknown: A task ended: ${String(error)}\n`);
  process.exit(1);
});

if (values.help) process.stdout.write(HELP);
else await runAll(Number(values.seed), Number(values.count), Number(values.steps));

async function runAll(first: number, count: number, steps: number): Promise<void> {
  const beganAtMs = performance.now();
  for (let seed = first; seed < first + count; seed += 1) {
    running = seed;
    try {
      const { traceHash, events, movements } = await Simulation.run(seed, steps);
      if (values.traces)
        process.stdout.write(`trace ${traceHash}, ${events} events, ${movements} movements\n`);
    } catch (error) {
      process.stdout.write(`${(error as Error).message}\n`);
      process.exitCode = 1;
      return;
    }
  }
  const ms = Math.round(performance.now() - beganAtMs);
  process.stdout.write(
    `seeds ${first} to ${first + count - 1}, ${steps} steps each: no violation, ${ms} ms\n`,
  );
}
