import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from '../../blackbox/api-request.ts';
import type { PetFixture } from '../../blackbox/operator.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';

export const ROUNDS = 20;

/** `KILL_RUNTIME=bun` runs the service on Bun. */
const RUNTIME = process.env.KILL_RUNTIME === 'bun' ? 'bun' : 'node';

/** Work that a service is killed in. */
export interface KilledWork {
  readonly env?: Readonly<Record<string, string>>;
  readonly pets?: readonly PetFixture[];
  /** Called once, before the first round. */
  begin?(service: Service): Promise<void>;
  /** Works until the connections break. */
  work(service: Service): Promise<unknown>;
  /** What was done until now, of which each round must do something before its kill. */
  done(): number;
  /** Called after each restart. */
  check(service: Service, round: number): Promise<void>;
}

/** Kills a service in the middle of work, and starts it again on the same database, 20 times. */
export async function killRounds(t: TestContext, killed: KilledWork): Promise<Service> {
  const seed = Date.now() % 1_000_000;
  const random = new SeededRandom(seed);
  t.diagnostic(`seed ${seed}, ${ROUNDS} rounds on ${RUNTIME}`);
  const options = { databaseDir: temporaryFolder(t), runtime: RUNTIME, env: killed.env ?? {} } as const;
  let service = await startService(t, { ...options, pets: killed.pets ?? [] });
  const { key } = service;
  await killed.begin?.(service);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = killed.done();
    const working = killed.work(service);
    const hasBegun = until(() => killed.done() > before, `work of round ${round}`);
    await Promise.race([hasBegun, working]);
    await delay(random.integer(0, 350));
    await service.kill9();
    await working;
    service = await startService(t, { ...options, key });
    await killed.check(service, round);
    assert.deepEqual((await service.cli('verify')).faults, [], `seed ${seed}, round ${round}`);
  }
  return service;
}

/**
 * Sends a request, again while the key is over its limit.
 * @returns The response; `undefined` if the connection broke before there was one.
 */
export async function sendUntilCut(
  service: Service,
  options: Parameters<typeof request>[1],
): Promise<RawResponse | undefined> {
  for (;;) {
    const response = await request(service, options).catch(() => undefined);
    if (response?.status !== 429) return response;
    await delay(200);
  }
}
