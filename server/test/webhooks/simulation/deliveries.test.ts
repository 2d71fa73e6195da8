import { test } from 'node:test';
import fc from 'fast-check';
import type { EventFilter } from '../../../src/domain/webhooks/webhook-endpoint.ts';
import { DeliverySimulation } from './delivery-simulation.ts';
import { type Simulated, type Step, simulations } from './steps.ts';

/** Small, so that short histories exceed them. */
const LIMITS = { minScan: 2, scan: { movements: 13, recorded: 3 }, ringEntries: 16 };
const RUNS = 10;

const ALL: EventFilter = { types: null, petIds: null, statuses: null };
const PET_1: EventFilter = { ...ALL, petIds: [1n] };

/** One endpoint of a slow receiver. */
function known(filter: EventFilter, ...steps: readonly Step[]): [Simulated] {
  return [{ endpoints: [{ filter, accountId: 'acc_shop', latencyMs: 300 }], steps }];
}

function change(...petIds: readonly number[]): Step {
  return { kind: 'change', petIds, status: 'available' };
}

const MANY_PETS = Array.from({ length: 30 }, (_, i) => i);

/** Histories that lost, delayed or repeated events once, or would without a check. */
const KNOWN: readonly [Simulated][] = [
  // More events than may wait in memory, for an endpoint that was up to date.
  known(ALL, { kind: 'pass', ms: 150 }, change(...MANY_PETS)),
  // The old filter did not match what follows the event in delivery; the new one does.
  known(
    PET_1,
    ...[change(1), { kind: 'pass', ms: 150 } as const, change(2, 3), { kind: 'pass', ms: 110 } as const],
    { kind: 'filter', of: 0, filter: ALL },
  ),
  // A page of the old filter is being read.
  known(
    ALL,
    ...[change(...MANY_PETS), { kind: 'pass', ms: 150 } as const, { kind: 'slow', readMs: 40 } as const],
    { kind: 'replay', of: 0, from: 0 },
    { kind: 'pass', ms: 10 },
    { kind: 'filter', of: 0, filter: PET_1 },
  ),
  // A failing receiver is mended, and its endpoint paused and resumed before the sender notices the pause.
  known(ALL, change(1), { kind: 'mend', of: 0 }),
  // The events before and after a replay are reported together: the sender has lost the queue from before, not the new one.
  known(
    ALL,
    ...[{ kind: 'latency', of: 0, ms: 1 } as const, change(...MANY_PETS), { kind: 'pass', ms: 120 } as const],
    { kind: 'replay', of: 0, from: 0 },
    { kind: 'pass', ms: 1_000 },
  ),
];

test('each endpoint receives exactly its events, in order, whatever happens', async (t) => {
  const histories = simulations({ pets: 40, recorded: 8, steps: 25 });
  const property = fc.asyncProperty(histories, (history) => DeliverySimulation.run(t, history, LIMITS));
  const numRuns = KNOWN.length + RUNS;
  await fc.assert(property, { numRuns, endOnFailure: true, examples: [...KNOWN] });
});
