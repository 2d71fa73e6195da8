import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOT_PETS, race } from '../race.ts';
import { STAGES } from '../stage.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { PROXY_FAULTS, ProxyFault } from './proxy-faults.ts';

const MOVES = 500;
const CLIENTS = 8;
const MAX_ATTEMPTS = 9;

test('a race reports each fault that a proxy injects, and none without a fault', async (t) => {
  const stage = await STAGES[0]!.start(t, { pets: HOT_PETS, keys: 3 });
  const proxy = await startFaultyProxy(t, stage.ports()[0]!);
  const run = (seed: number) =>
    race({ seed, clients: CLIENTS, moves: MOVES, keys: stage.keys, ports: () => [proxy.port] });

  assert.deepEqual((await run(1)).faults, []);
  for (const [index, kind] of PROXY_FAULTS.entries()) {
    const { name, reported } = kind;
    await t.test(name, async () => {
      // On a busy machine a race may have no occasion for a fault.
      for (let attempt = 0; ; attempt += 1) {
        const fault = new ProxyFault(kind);
        proxy.fault = fault;
        const { faults } = await run(index + 2 + attempt * PROXY_FAULTS.length).finally(() => {
          proxy.fault = undefined;
        });
        assert.ok(fault.wasInjected || attempt < MAX_ATTEMPTS, 'there was an occasion');
        if (!fault.wasInjected) continue;
        assert.match(faults.join('\n'), reported);
        return;
      }
    });
  }
  assert.deepEqual((await run(PROXY_FAULTS.length + 2)).faults, []);
});
