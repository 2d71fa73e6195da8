import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { errorOf, request } from '../../blackbox/api-request.ts';
import type { ServiceProcess } from '../../blackbox/service-process.ts';
import { Progress } from '../../support/progress.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { startNginx } from '../support/nginx.ts';
import { startReverseProxy } from '../support/reverse-proxy.ts';
import { findNginx, type LoadBalancer } from './load-balancer.ts';

const REQUESTS_PER_SECOND = 50;
const SEND_INTERVAL_MS = 10;
/** More would be a test of the connections of nginx, on a machine that stands still for seconds. */
const MAX_PENDING = 100;
export const PETS = 20;
const REACHED_TIMEOUT_MS = 120_000;

interface Balancer {
  readonly name: string;
  /** A balancer that polls /readyz needs a while to detect an instance that is not ready, more on a busy machine. */
  readonly drainDelaySeconds: number;
  readonly start: (t: TestContext, ports: readonly number[]) => Promise<LoadBalancer>;
}

const nginx = findNginx();
/** The daily tests use only this one. */
export const PROBING: Balancer = {
  name: 'a balancer that polls /readyz',
  drainDelaySeconds: 2,
  start: startReverseProxy,
};

/** Those that this machine has. */
export const BALANCERS: readonly Balancer[] =
  nginx === undefined
    ? [PROBING]
    : [PROBING, { name: 'nginx', drainDelaySeconds: 1, start: (t, ports) => startNginx(t, ports, nginx) }];

/** Lists and changes `PETS` pets at a steady rate, each on its own connection, without waiting for the last hundred. */
export class SteadyLoad {
  sent = 0;
  changes = 0;
  readonly failures: string[] = [];
  readonly #port: number;
  readonly #key: string;
  readonly #pending = new Set<Promise<void>>();
  readonly #startedAt = performance.now();
  #isRunning = true;
  readonly #sending: Promise<void>;

  constructor(port: number, key: string) {
    this.#port = port;
    this.#key = key;
    this.#sending = this.#send();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#sending;
    await Promise.all(this.#pending);
  }

  async #send(): Promise<void> {
    while (this.#isRunning) {
      const due = ((performance.now() - this.#startedAt) / 1_000) * REQUESTS_PER_SECOND;
      while (this.sent < due && this.#pending.size < MAX_PENDING) {
        this.sent += 1;
        const sending = this.#sendOne(this.sent).finally(() => this.#pending.delete(sending));
        this.#pending.add(sending);
      }
      await delay(SEND_INTERVAL_MS);
    }
  }

  async #sendOne(number: number): Promise<void> {
    // Two of each: a balancer that takes turns would send all of one kind to one instance.
    const isChange = number % 4 < 2;
    if (isChange) this.changes += 1;
    const target = isChange ? change(number) : { path: '/v1/inventory' };
    const at = Math.round(performance.now() - this.#startedAt);
    try {
      const answer = await request({ port: this.#port }, { ...target, key: this.#key });
      if (answer.status !== 200) this.failures.push(`${at} ms: ${answer.status} ${errorOf(answer).message}`);
    } catch (error) {
      this.failures.push(`${at} ms: ${String(error)}`);
    }
  }
}

/** Each sets a new quantity, and therefore makes one movement. */
function change(quantity: number) {
  return {
    method: 'PATCH',
    path: `/v1/inventory/${(quantity % PETS) + 1}`,
    headers: { 'Content-Type': 'application/json' },
    body: `{"quantity":${quantity}}`,
  };
}

/** Restarts two instances in turn behind a load balancer, and asserts that no request fails. */
export async function restartsUnnoticed(
  t: TestContext,
  { start, drainDelaySeconds }: Balancer,
  rounds: number,
): Promise<void> {
  const pets = Array.from({ length: PETS }, (_, i) => ({ petId: BigInt(i + 1), quantity: 0 }));
  const env = { PETSTORE_DRAIN_DELAY: String(drainDelaySeconds) };
  const cluster = await startCluster(t, { instances: 2, pets, env });
  const balancer = await start(t, cluster.ports);
  const load = new SteadyLoad(balancer.port, cluster.key);
  t.after(() => load.stop());
  const progress = new Progress('rounds', rounds);
  for (let round = 1; round <= rounds; round += 1) {
    for (const index of cluster.instances.keys()) await restart(cluster, balancer, index);
    progress.step();
  }
  await load.stop();
  t.diagnostic(`${balancer.kind}: ${load.sent} requests, ${2 * rounds} restarts`);
  assert.deepEqual(load.failures, []);
  const { movements, faults } = await cluster.cli('verify');
  assert.deepEqual({ movements, faults }, { movements: PETS + load.changes, faults: [] });
}

/**
 * nginx does not poll readiness, so the test removes the instance; our proxy detects it while the instance drains. The
 * next instance is stopped when requests reach this one again: until then it may be the only one in use.
 */
async function restart(cluster: Cluster, balancer: LoadBalancer, index: number): Promise<void> {
  const isReloaded = balancer.kind === 'nginx';
  if (isReloaded) await balancer.setUpstreams(cluster.ports.filter((_, other) => other !== index));
  assert.equal(await cluster.instances[index]?.stop(), 0);
  const instance = await cluster.restart(index);
  if (isReloaded) await balancer.setUpstreams(cluster.ports);
  const deadline = performance.now() + REACHED_TIMEOUT_MS;
  while (!(await hasServed(instance))) {
    assert.ok(performance.now() < deadline, 'a restarted instance receives requests');
    await delay(SEND_INTERVAL_MS);
  }
}

/** Whether requests of `SteadyLoad` reached an instance. */
export async function hasServed({ port }: ServiceProcess): Promise<boolean> {
  const { body } = await request({ port }, { path: '/metrics' });
  return /operation="(?:list|update)Inventory"/.test(body.toString());
}
