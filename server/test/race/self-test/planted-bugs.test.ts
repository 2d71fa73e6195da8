import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountFor } from '../checker/accounted.ts';
import { assertWitness } from '../checker/brute-force.ts';
import { checkBySequence } from '../checker/by-sequence.ts';
import { ledgerFaults } from '../checker/ledger-invariants.ts';
import { checkLinearizable } from '../checker/linearizable.ts';
import { type Race, simulateRace } from './simulated-race.ts';
import { BUGS, type Bug } from './simulated-store.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const CORRECT_RACES = 20;
const MAX_HISTORIES = 20;
const BEGINNINGS = [1, 1_001, 2_001];

test(`a correct store passes every check in ${CORRECT_RACES} races of 10 clients x 300 operations`, (t) => {
  if (isSkippedDaily(t)) return;
  const results = new Map<string, number>();
  const property = fc.property(fc.nat(), (seed) => {
    const race = simulateRace({ seed, clients: 10, operationsOfEach: 300 });
    for (const { outcome } of race.history.operations)
      results.set(outcome.result, (results.get(outcome.result) ?? 0) + 1);
    const verdict = checkLinearizable(race.history);
    assert.ok(verdict.isLinearizable, verdict.isLinearizable ? '' : verdict.message);
    assertWitness(race.history, verdict.witness);
    assert.deepEqual(faultsOfLedger(race), []);
    const [reported] = accountFor(race.rows, [race.history], 1).histories;
    const bySequence = checkBySequence(reported!);
    assert.ok(bySequence.isLinearizable, bySequence.isLinearizable ? '' : bySequence.message);
    assertWitness(reported!, bySequence.witness);
  });
  fc.assert(property, { seed: 1, numRuns: CORRECT_RACES });
  for (const result of ['done', 'refused', 'failed', 'unknown'])
    assert.ok((results.get(result) ?? 0) > 1_000, `${result}: ${results.get(result)}`);
});

for (const bug of BUGS) {
  test(`a store with a planted ${bug} is caught within ${MAX_HISTORIES} histories, by either check`, () => {
    for (const seed of BEGINNINGS) {
      const byHistory = firstCaught(bug, seed, ({ history }) => !checkLinearizable(history).isLinearizable);
      const bySequence = firstCaught(bug, seed, ({ history, rows }) => {
        const [reported] = accountFor(rows, [history], 1).histories;
        return !checkBySequence(reported!).isLinearizable;
      });
      assert.ok(byHistory <= MAX_HISTORIES && bySequence <= MAX_HISTORIES);
    }
  });
}

/** The fault that each bug causes in the ledger; the other two bugs affect only reads. */
const SHOWN_BY_LEDGER: readonly Bug[] = [
  'lost update',
  'answer before commit',
  'double apply',
  'oversold',
  'forgotten reservation',
];

for (const bug of SHOWN_BY_LEDGER) {
  test(`the ledger alone shows: ${bug}, within ${MAX_HISTORIES} histories`, () => {
    for (const seed of BEGINNINGS)
      assert.ok(firstCaught(bug, seed, (race) => faultsOfLedger(race).length > 0) <= MAX_HISTORIES);
  });
}

function faultsOfLedger({ rows, history, quantity, version }: Race): string[] {
  const { petId } = history;
  return [...ledgerFaults(rows, [{ petId, quantity, version }]), ...accountFor(rows, [history], 1).faults];
}

/** How many races it takes until one is caught; one more than may be needed where none is. */
function firstCaught(bug: Bug, seed: number, isCaught: (race: Race) => boolean): number {
  for (let count = 1; count <= MAX_HISTORIES; count += 1) {
    const race = simulateRace({ seed: seed + count, clients: 10, operationsOfEach: 100, bug });
    if (isCaught(race)) return count;
  }
  return MAX_HISTORIES + 1;
}
