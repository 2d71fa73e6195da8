import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const running = new Set<ChildProcess>();

// The benchmark leaves no process behind, for any kind of exit.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly url: URL;
  /** From the start of the process to its line `listening`. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

/** Starts a child with a minimal environment. */
export function startChild(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: NonNullable<SpawnOptions['stdio']>,
): ChildProcess & { readonly pid: number } {
  const [program = '', ...args] = command;
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME, TMPDIR, ...env }, stdio });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started`);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return Object.assign(child, { pid });
}

/** Sends SIGTERM to a child, and SIGKILL if it has not exited after 15 seconds. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await exit;
  clearTimeout(deadline);
}

/** Starts a server that reports its address in a JSON line on stdout: `{"msg":"listening","url":...}`. */
export async function startServer(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const startedAtMs = performance.now();
  const child = startChild(command, env, ['ignore', 'pipe', 'inherit']);
  const stop = () => stopChild(child);
  const deadline = setTimeout(() => child.kill('SIGKILL'), 60_000);
  try {
    const url = await listeningUrl(child);
    const readyAfterMs = performance.now() - startedAtMs;
    return { pid: child.pid, url, readyAfterMs, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw new Error(`${command.join(' ')} did not start`, { cause: error });
  } finally {
    clearTimeout(deadline);
  }
}

async function listeningUrl(child: ChildProcess): Promise<URL> {
  if (child.stdout === null) throw new Error('stdout is not a pipe');
  const lines = createInterface({ input: child.stdout });
  return await new Promise((resolve, reject) => {
    const seen: string[] = [];
    lines.on('line', (line) => {
      if (!line.includes('"msg":"listening"')) return void seen.push(line);
      const { url } = JSON.parse(line) as { url: string };
      resolve(new URL(url));
      // Nothing reads the log from here on, but a full pipe would stop the server.
      lines.close();
      child.stdout?.resume();
    });
    lines.once('close', () => reject(new Error(`it never reported its address:\n${seen.join('\n')}`)));
  });
}

/** Runs a command to its end, at most two minutes; returns its stdout. */
export async function runCommand(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = startChild(command, env, ['ignore', 'pipe', 'pipe']);
  const deadline = setTimeout(() => child.kill('SIGKILL'), 120_000);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  clearTimeout(deadline);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** Resident memory of a process now, in MB of 1,000,000 bytes. */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kib) * 1024) / 1e6;
}
