import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Service } from '../../blackbox/service.ts';
import { until } from '../../support/until.ts';

export interface FailingCalls {
  /** System calls, separated by commas; those that sync when left out. */
  readonly calls?: string;
  /** Which of them fail, as strace has it, such as `:when=1`; all when left out. */
  readonly when?: string;
  readonly code?: string;
  /** A file for the calls, in which those that failed have the word INJECTED. */
  readonly log?: string;
}

/** Arguments of strace that make system calls on files fail; a call is skipped, as on a disk error. */
export function failing(
  files: readonly string[],
  { calls = 'fsync,fdatasync', when = '', code = 'EIO', log = '/dev/null' }: FailingCalls = {},
): string[] {
  const paths = files.flatMap((file) => ['-P', file]);
  return ['-f', ...paths, '-e', `trace=${calls}`, '-e', `inject=${calls}:error=${code}${when}`, '-o', log];
}

/**
 * Makes system calls on the log, or on all files of the database, fail in a running service. Returns a function that ends
 * the fault; `undefined` if tracing is not permitted.
 */
export async function failCalls(
  t: TestContext,
  service: Service,
  fault: FailingCalls = {},
  suffixes: readonly string[] = ['-wal'],
): Promise<(() => Promise<void>) | undefined> {
  const files = suffixes.map((suffix) => join(service.databaseDir, `petstore.db${suffix}`));
  const words = [...failing(files, fault), '-p', String(service.pid)];
  const strace = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => strace.kill('SIGKILL'));
  let text = '';
  strace.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  if (!(await isAttached(strace, () => text))) return undefined;
  return async () => {
    if (hasEnded(strace)) throw new Error(`strace ended while calls had to fail: ${text}`);
    const exited = once(strace, 'exit');
    strace.kill('SIGTERM');
    await exited;
  };
}

async function isAttached(strace: ChildProcess, output: () => string): Promise<boolean> {
  await until(() => hasEnded(strace) || /attached/.test(output()), 'strace is attached or has ended');
  return !hasEnded(strace);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export function mayTrace(t: TestContext): boolean {
  const may = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
  if (!may) t.diagnostic('strace is missing or may not trace: no system call was made to fail.');
  return may;
}
