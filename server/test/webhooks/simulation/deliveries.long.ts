import { test } from 'node:test';
import fc from 'fast-check';
import { DeliverySimulation } from './delivery-simulation.ts';
import { type Simulated, type Step, simulations } from './steps.ts';

const RUNS = 6;

/** An endpoint far behind, whose events are rare at first and then come one after 40 others. */
const FAR_BEHIND: Simulated = {
  endpoints: [
    {
      filter: { types: null, petIds: range(5_000, 60).map(BigInt), statuses: null },
      accountId: 'acc_shop',
      latencyMs: 1,
    },
  ],
  steps: [
    change(...range(0, 1_500)),
    ...range(5_000, 60).map((petId) => change(...range(0, 40), petId)),
    change(...range(0, 500)),
    { kind: 'pass', ms: 2_000 },
    { kind: 'replay', of: 0, from: 0 },
    { kind: 'pass', ms: 2_000 },
  ],
};

test('each endpoint receives exactly its events of thousands, with the limits of the service', async (t) => {
  const histories = simulations({ pets: 1_200, recorded: 250, steps: 20 });
  const property = fc.asyncProperty(histories, (history) => DeliverySimulation.run(t, history));
  await fc.assert(property, { numRuns: RUNS + 1, endOnFailure: true, examples: [[FAR_BEHIND]] });
});

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

function change(...petIds: readonly number[]): Step {
  return { kind: 'change', petIds, status: 'available' };
}
