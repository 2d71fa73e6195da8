import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand, startChild } from './process.ts';

/** Tells what a process spent, all its threads together, while some work was done. */
export interface CpuMeter {
  readonly unit: 'instructions' | 'µs of CPU time';
  readonly explanation: string;
  during<T>(pid: number, work: () => Promise<T>): Promise<{ spent: number; result: T }>;
}

const PERF = ['perf', 'stat', '-x,', '-e', 'instructions:u'];

/** Instructions where the machine lets us count them, because they do not depend on who else uses it; else CPU time. */
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
  async during(pid, work) {
    const before = cpuTimeMicroseconds(pid);
    const result = await work();
    return { spent: cpuTimeMicroseconds(pid) - before, result };
  },
};

const perfMeter: CpuMeter = {
  unit: 'instructions',
  explanation: 'user-mode instructions of the server process, all threads, counted by perf',
  async during(pid, work) {
    const perf = startChild([...PERF, '-p', String(pid)], {}, ['ignore', 'ignore', 'pipe']);
    let output = '';
    perf.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(perf, 'close');
    await untilAttached(perf.pid, readdirSync(`/proc/${pid}/task`).length);
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
function cpuTimeMicroseconds(pid: number): number {
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
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the program's name, which may hold spaces; utime and stime are fields 14 and 15 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
