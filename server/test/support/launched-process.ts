import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MAIN } from './bundle/service-program.ts';
import { environmentOf } from './command-line.ts';

export const LAUNCHER = fileURLToPath(new URL('../../bin/petstore-server.js', import.meta.url));

/** Starts a process that keeps running, and resolves with its output as soon as it is sufficient. */
export async function startUntil(
  t: TestContext,
  folder: string,
  words: readonly string[],
  isEnough: (text: string) => boolean,
  extra: Readonly<NodeJS.ProcessEnv> = {},
  program: readonly [string, ...string[]] = [process.execPath, MAIN],
): Promise<{ text: string; stop: () => Promise<number | null> }> {
  const [binary, ...before] = program;
  const child: ChildProcess = spawn(binary, [...before, ...words], {
    cwd: folder,
    env: environmentOf(folder, extra),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const text = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.once('close', () => reject(new Error(`It exited after this output: ${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      if (isEnough(output)) resolve(output);
    });
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { text, stop };
}
