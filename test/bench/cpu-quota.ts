import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/** A group of processes that may use only a part of a processor, as a container with a limit. */
export interface CpuQuota {
  add(pid: number): void;
  /** Of its periods so far, in how many it stood still at the end. */
  throttled(): { readonly periods: number; readonly stopped: number };
  /** After the end of its processes. */
  remove(): void;
}

/** @returns `undefined` where control groups cannot be written, as without root or in most containers. */
export function makeCpuQuota(share: number): CpuQuota | undefined {
  // Version 2 has one tree, and version 1 one for each controller.
  const isNew = existsSync(join(ROOT, 'cgroup.controllers'));
  const group = join(ROOT, isNew ? '' : 'cpu', `petstore-quota-${process.pid}`);
  const write = (name: string, value: string) => writeFileSync(join(group, name), value);
  const quota = Math.round(share * PERIOD_US);
  try {
    if (isNew) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu');
    mkdirSync(group);
    if (isNew) write('cpu.max', `${quota} ${PERIOD_US}`);
    else {
      write('cpu.cfs_period_us', String(PERIOD_US));
      write('cpu.cfs_quota_us', String(quota));
    }
  } catch {
    if (existsSync(group)) rmdirSync(group);
    return undefined;
  }
  return {
    add: (pid) => write('cgroup.procs', String(pid)),
    throttled: () => {
      const text = readFileSync(join(group, 'cpu.stat'), 'utf8');
      const [periods, stopped] = [/^nr_periods (\d+)$/m, /^nr_throttled (\d+)$/m].map((line) =>
        Number(line.exec(text)?.[1]),
      ) as [number, number];
      return { periods, stopped };
    },
    remove: () => rmdirSync(group),
  };
}
