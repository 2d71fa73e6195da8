import { test } from 'node:test';
import fc from 'fast-check';
import { DeliverySimulation } from './delivery-simulation.ts';
import { simulations } from './steps.ts';

const RUNS = 6;

test('each endpoint receives exactly its events of thousands, with the limits of the service', async (t) => {
  const histories = simulations({ pets: 1_200, recorded: 250, steps: 20 });
  const property = fc.asyncProperty(histories, (history) => DeliverySimulation.run(t, history));
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
