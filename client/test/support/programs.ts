import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { until } from '../../../server/test/support/until.ts';
import { ROOT } from '../../../test/docs/pages.ts';

/** Reads the packages of this repository as sources, so that nothing has to be built before. */
const FROM_SOURCE = ['--conditions=@petstore-inventory/source'];

export interface Program {
  /** What it has printed so far. */
  readonly lines: string[];
  readonly child: ChildProcess;
  /** Waits until a line of its output matches, and returns the match. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
}

type Variables = Readonly<Record<string, string>>;

/** Starts a program that uses the client, and ends it with the test. */
export function startProgram(t: Pick<TestContext, 'after'>, file: string, variables: Variables): Program {
  const child = spawn(process.execPath, [...FROM_SOURCE, file], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() as string;
    lines.push(...parts);
  });
  const line = async (pattern: RegExp) => {
    const find = () => lines.map((one) => pattern.exec(one)).find((match) => match !== null);
    await until(() => find() !== undefined, `${file} prints ${pattern}; it printed ${lines.join('\n')}`);
    return find() as RegExpExecArray;
  };
  return { lines, child, line };
}

/** Runs a program to its end and returns its output. */
export function runProgram(
  command: string,
  words: readonly string[],
  { variables = {}, input = '' }: { readonly variables?: Variables; readonly input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...variables };
    const child = execFile(command, words, { cwd: ROOT, env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new assert.AssertionError({ message: `${error.message}\n${stdout}\n${stderr}` }));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

/** Runs a program of the repository on the sources of the client. */
export function runExample(file: string, variables: Variables, input = ''): Promise<string> {
  return runProgram(process.execPath, [...FROM_SOURCE, file], { variables, input });
}
