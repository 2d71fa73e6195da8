import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '../../server/test/postgres/support/process-tree.ts';
import { runCommand, startChild } from './process.ts';

/** USER_HZ is 100 on Linux wherever programs can see it. */
const TICK_MICROSECONDS = 10_000;

/** Measures the CPU time of processes, all their threads together, during some work. */
export interface CpuMeter {
  readonly unit: 'instructions' | 'µs of CPU time';
  readonly explanation: string;
  during<T>(pids: readonly number[], work: () => Promise<T>): Promise<{ spent: number; result: T }>;
}

const PERF = ['perf', 'stat', '-x,', '-e', 'instructions:u'];

/** Instructions if the machine can count them, because they do not depend on other load; otherwise CPU time. */
export async function chooseCpuMeter(): Promise<CpuMeter> {
  try {
    // perf writes its figures to stderr.
    const output = await runCommand(['sh', '-c', `${PERF.join(' ')} true 2>&1`]);
    if (/^\d+,.*instructions/m.test(output)) return perfMeter;
  } catch {
    // No perf on this machine, or no right to use it.
  }
  return cpuTimeMeter;
}

const cpuTimeMeter: CpuMeter = {
  unit: 'µs of CPU time',
  explanation:
    'user and system CPU time of the server process, all threads (perf cannot count instructions here)',
  async during(pids, work) {
    const before = sum(pids.map(cpuTimeMicroseconds));
    const result = await work();
    return { spent: sum(pids.map(cpuTimeMicroseconds)) - before, result };
  },
};

const perfMeter: CpuMeter = {
  unit: 'instructions',
  explanation: 'user-mode instructions of the server process, all threads, counted by perf',
  async during(pids, work) {
    const perf = startChild([...PERF, '-p', pids.join(',')], {}, ['ignore', 'ignore', 'pipe']);
    let output = '';
    perf.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(perf, 'close');
    const threads = pids.map((pid) => readdirSync(`/proc/${pid}/task`).length);
    await untilAttached(perf.pid, sum(threads));
    const result = await work();
    perf.kill('SIGINT');
    await ended;
    const count = /^(\d+),.*instructions/m.exec(output)?.[1];
    if (count === undefined) throw new Error(`perf counted nothing: ${output}`);
    return { spent: Number(count), result };
  },
};

/** perf holds one counter open for each thread that it watches. */
async function untilAttached(perfPid: number, threads: number): Promise<void> {
  const deadlineMs = performance.now() + 5_000;
  while (performance.now() < deadlineMs) {
    const counters = readdirSync(`/proc/${perfPid}/fd`).filter((fd) => isPerfCounter(perfPid, fd));
    if (counters.length >= threads) return;
    await sleep(20);
  }
  throw new Error('perf did not attach to the server within 5 seconds');
}

function isPerfCounter(perfPid: number, fd: string): boolean {
  try {
    return readlinkSync(`/proc/${perfPid}/fd/${fd}`).includes('perf_event');
  } catch {
    return false;
  }
}

/** The scheduler's own count in nanoseconds where the kernel keeps one, else clock ticks of 10 ms. */
export function cpuTimeMicroseconds(pid: number): number {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [runNanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      nanoseconds += Number(runNanoseconds);
    }
    if (nanoseconds > 0) return nanoseconds / 1000;
  } catch {
    // No schedstat in this kernel, or a thread ended while it was read.
  }
  const { user, system } = cpuTicks(pid);
  return (user + system) * TICK_MICROSECONDS;
}

/** A process with its children, including exited children that it has waited for. */
export function familyMicroseconds(pid: number): number {
  const living = [pid, ...childrenOf(pid)].map((member) => {
    try {
      return cpuTimeMicroseconds(member);
    } catch {
      // It has just exited, and its parent has its CPU time.
      return 0;
    }
  });
  const { childrenUser, childrenSystem } = cpuTicks(pid);
  return sum(living) + (childrenUser + childrenSystem) * TICK_MICROSECONDS;
}

/** utime, stime, cutime and cstime: fields 14 to 17 of proc(5). */
function cpuTicks(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the program's name, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number);
  return { user, system, childrenUser, childrenSystem };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
