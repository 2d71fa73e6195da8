import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of all children of a process. */
export function childrenOf(pid: number): number[] {
  const pairs = process.platform === 'linux' ? fromProc() : fromPs();
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
}

type ChildAndParent = readonly [number, number];

function fromProc(): ChildAndParent[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)]);
}

/** Linux's proc(5): the fields after the name of the program, which may hold anything, begin with state and parent. */
function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The process has already exited.
    return -1;
  }
}

function fromPs(): ChildAndParent[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
}

/** Sends a signal to a process that may be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
