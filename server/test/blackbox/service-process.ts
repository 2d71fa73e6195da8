import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MAIN, SOURCE } from '../support/bundle/service-program.ts';
import { machineEnvironment } from '../support/machine-environment.ts';

export type Runtime = 'node' | 'bun';
/** Tests that run on Bun start the service on Bun alone, also where they name no runtime. */
export const RUNTIMES: readonly Runtime[] = process.versions.bun === undefined ? ['node', 'bun'] : ['bun'];

const BUN = fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url));
/** A busy machine may start a dozen instances at once. */
const READY_TIMEOUT_MS = 90_000;
const STOPPED_TIMEOUT_MS = 60_000;

/** Processes that a test has not ended. */
const running = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** How a process of the service is run. */
export interface ServiceEnvironment {
  /** The program that runs it. */
  readonly binary: string;
  /** All its variables. */
  readonly env: NodeJS.ProcessEnv;
  /** Where it runs. */
  readonly folder: string;
  /** What the program runs; without it, the service. */
  readonly words?: readonly string[];
}

/** A process that serves. */
export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Sends SIGTERM, or another signal, and resolves with the exit code; `null`: the signal itself ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  kill9(): Promise<void>;
  isAlive(): boolean;
  /** All that the process has written to stdout and stderr. */
  logs(): string;
}

/** The program of a runtime, and the machine's variables without those of the service. */
export function serviceEnvironment(
  runtime: Runtime | undefined,
  folder: string,
  variables: Readonly<Record<string, string>>,
): ServiceEnvironment {
  const env = { ...machineEnvironment(), PORT: '0', PETSTORE_HOST: '127.0.0.1', ...variables };
  return { binary: runtime === 'bun' ? BUN : process.execPath, env, folder };
}

/**
 * Runs `serve`, and resolves when it listens. The caller ends the process.
 * @throws Error with the output of the process, if it exits before.
 */
export async function launchService({
  binary,
  env,
  folder,
  words = [binary === BUN ? SOURCE : MAIN],
}: ServiceEnvironment): Promise<ServiceProcess> {
  const output: string[] = [];
  const child = spawn(binary, [...words, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = await listening(child, output).catch(async (error: unknown) => {
    await end(child, 'SIGKILL');
    throw error;
  });
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? -1,
    stop: (signal = 'SIGTERM') => end(child, signal),
    kill9: async () => void (await end(child, 'SIGKILL')),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    logs: () => output.join(''),
  };
}

/** Collects the output of the process, and resolves with its address as soon as it logs it. */
function listening(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`The service ${reason}:\n${output.join('')}`));
    };
    const timer = setTimeout(() => fail('was not ready in time'), READY_TIMEOUT_MS);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.once('error', (error) => fail(`did not start (${error.message})`));
    // Only then has all been read that it wrote.
    child.once('close', (code, signal) => fail(`ended with ${code ?? signal}`));
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(`${line}\n`);
      const url = listeningUrl(line);
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

function listeningUrl(line: string): string | undefined {
  if (!line.includes('"msg":"listening"')) return undefined;
  const { url } = JSON.parse(line) as { url?: unknown };
  return typeof url === 'string' ? url.replace(/\/$/, '') : undefined;
}

/** Sends a signal and waits for the end; a process that will not go in time is killed, and that is an error. */
function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve(child.exitCode);
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service did not end within ${STOPPED_TIMEOUT_MS} ms of ${signal}.`));
    }, STOPPED_TIMEOUT_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
    child.kill(signal);
  });
}
