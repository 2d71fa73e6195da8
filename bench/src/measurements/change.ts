import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Written } from '../baselines/raw-loop.ts';
import {
  type Bench,
  type Cost,
  compareCosts,
  costOf,
  describe,
  median,
  pairwise,
  warmUp,
} from '../compare.ts';
import { startChild, stopChild } from '../process.ts';
import { type Row, row } from '../report.ts';
import { makeShop, type Service } from '../shop.ts';
import { sentTo, startBareHttp } from './list.ts';

const PETS = 100;
const RAW_LOOP = fileURLToPath(new URL('../baselines/raw-loop.ts', import.meta.url));

interface RawLoop extends AsyncDisposable {
  run(seconds: number): Promise<Written>;
}

function startRawLoop(bench: Bench): RawLoop {
  const command = [process.execPath, RAW_LOOP, join(bench.directory, 'raw-loop.db'), String(PETS)];
  const child = startChild(command, {}, ['ignore', 'inherit', 'inherit', 'ipc']);
  return {
    async run(seconds) {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(seconds * 1000 + 10_000) });
      child.send(seconds);
      const [written] = (await answer) as [Written];
      return written;
    },
    [Symbol.asyncDispose]: () => stopChild(child),
  };
}

interface ChangeCost extends Cost {
  readonly commitsPerSecond: number;
  readonly changesPerSecond: number;
}

async function costOfChanges(bench: Bench, service: Service): Promise<ChangeCost> {
  const before = await service.written();
  const cost = await costOf(bench, { pid: service.pid, plan: service.changePlan() });
  const after = await service.written();
  const changes = after.changes - before.changes;
  const { requests, elapsedSeconds } = cost.load;
  // The last batch may be counted a moment after its answers were sent.
  if (Math.abs(changes - requests) > requests / 100) {
    throw new Error(`${requests} changes were acknowledged, but ${changes} committed`);
  }
  return {
    ...cost,
    commitsPerSecond: (after.commits - before.commits) / elapsedSeconds,
    changesPerSecond: requests / elapsedSeconds,
  };
}

/** Durable changes: their cost against a server that keeps nothing, their rate against SQLite alone. */
export async function measureChange(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS);
  await using service = await shop.start();
  await using bare = await startBareHttp(bench, service);
  await using raw = startRawLoop(bench);
  const bareTarget = { pid: bare.pid, plan: sentTo(bare, service.changePlan()) };

  await warmUp(bench, () => ({ pid: service.pid, plan: service.changePlan() }));
  await warmUp(bench, () => bareTarget);
  await raw.run(0.5);
  const ours: ChangeCost[] = [];
  const echoes: Cost[] = [];
  const loops: Written[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    ours.push(await costOfChanges(bench, service));
    echoes.push(await costOf(bench, bareTarget));
    loops.push(await raw.run(bench.seconds));
  }

  const commits = ours.map((cost) => cost.commitsPerSecond);
  const changes = ours.map((cost) => cost.changesPerSecond);
  const rawCommits = loops.map((loop) => loop.commits / loop.elapsedSeconds);
  const rawRows = loops.map((loop) => loop.rows / loop.elapsedSeconds);
  const rates = (our: number[], their: number[], what: string) =>
    `service ${median(our).toFixed(0)} ${what}/s, raw loop ${median(their).toFixed(0)} ${what}/s`;
  return [
    row({
      work: 'durable PATCH, 32 connections, Node / bare node:http that echoes',
      values: pairwise(
        ours.map((cost) => cost.perRequest),
        echoes.map((cost) => cost.perRequest),
      ),
      unit: 'x',
      digits: 2,
      atMost: 2.4,
      detail: `${describe(bench, 'service', ours)}; ${describe(bench, 'bare node:http', echoes)}`,
    }),
    row({
      work: 'commits per second under that load / raw SQLite loop, 32 rows per commit',
      values: pairwise(commits, rawCommits),
      unit: 'x',
      digits: 2,
      atLeast: 0.5,
      detail: `${rates(commits, rawCommits, 'commits')}; ${(median(changes) / median(commits)).toFixed(1)} changes per commit`,
    }),
    row({
      work: 'acknowledged changes per second / rows of that raw loop',
      values: pairwise(changes, rawRows),
      unit: 'x',
      digits: 2,
      detail: rates(changes, rawRows, 'changes'),
    }),
  ];
}

/** One durable change after the other, against a server that appends each to a file and waits for the same fsync. */
export async function measureSingleChange(bench: Bench): Promise<Row[]> {
  const shop = await makeShop(bench, PETS);
  await using service = await shop.start();
  await using bare = await startBareHttp(bench, service, true);
  const plan = { ...service.changePlan(), connections: 1 };
  const { ratios, detail } = await compareCosts(
    bench,
    { name: 'service', pid: service.pid, plan },
    { name: 'bare node:http', pid: bare.pid, plan: sentTo(bare, plan) },
  );
  return [
    row({
      work: 'durable PATCH, 1 connection, Node / bare node:http with the same fsync',
      values: ratios,
      unit: 'x',
      digits: 2,
      atMost: 1.5,
      detail,
    }),
  ];
}
