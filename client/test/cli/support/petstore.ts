import assert from 'node:assert/strict';
import { PassThrough, Transform } from 'node:stream';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../../../server/test/support/command-line.ts';
import type { TestApp } from '../../../../server/test/support/harness.ts';
import type { Context } from '../../../cli/context.ts';
import { runProgram } from '../../../cli/program.ts';
import { parseExact } from '../../../src/exact-json.ts';
import { fetchOf } from '../../support/client-of.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
  /** Whether output and input are a terminal. */
  readonly isTTY?: boolean;
  /** The reader of standard output reads only then. */
  readonly readAfter?: Promise<void>;
  /** Called with each piece of output. */
  readonly onOutput?: (text: string) => void;
}

/** The command line of clients in this process, with a home folder of its own. */
export interface Petstore {
  readonly home: string;
  run(line: string | readonly string[], surroundings?: Surroundings): Promise<Ended>;
  /** The result of a successful command as text. */
  text(line: string): Promise<string>;
  /** The result of a successful command with `--json`. */
  json<T = Record<string, unknown>>(line: string): Promise<T>;
  /** The results of a successful command with `--json` that prints a list. */
  list<T = Record<string, unknown>>(line: string): Promise<T[]>;
}

/** @param app The service, and the key that the environment has; without it, there is none. */
export function petstoreOf(
  t: Pick<TestContext, 'after'>,
  app?: Pick<TestApp, 'app' | 'key'>,
  defaults: Surroundings = {},
): Petstore {
  const home = temporaryFolder(t);
  const own = {
    env: app ? { PETSTORE_URL: 'http://localhost', PETSTORE_API_KEY: app.key } : {},
    ...(app && { fetch: fetchOf(app) }),
    ...defaults,
  };
  const run: Petstore['run'] = (line, surroundings = {}) =>
    runIn(home, typeof line === 'string' ? wordsOf(line) : line, { ...own, ...surroundings });
  const text = async (line: string) => {
    const { code, stdout, stderr } = await run(line);
    assert.deepEqual([code, stderr], [0, ''], line);
    return stdout;
  };
  const list = async <T>(line: string) =>
    (await text(`${line} --json`))
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => parseExact(one) as T);
  return { home, run, text, list, json: async (line) => (await list(line))[0] as never };
}

async function runIn(home: string, words: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const { env = {}, isTTY = false, onOutput } = surroundings;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(surroundings.stdin ?? '');
  const output = { stdout: '', stderr: '' };
  const streamOf = (name: 'stdout' | 'stderr') => {
    const isHeld = name === 'stdout' && surroundings.readAfter;
    const stream = Object.assign(isHeld ? passingAfter(isHeld) : new PassThrough(), { isTTY });
    return stream.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      onOutput?.(text);
    });
  };
  const context: Context = {
    env: { XDG_CONFIG_HOME: `${home}/config`, XDG_STATE_HOME: `${home}/state`, ...env },
    platform: process.platform,
    home,
    stdin,
    stdout: streamOf('stdout'),
    stderr: streamOf('stderr'),
    fetch: surroundings.fetch ?? globalThis.fetch,
    signal: surroundings.signal ?? new AbortController().signal,
  };
  const code = await runProgram(words, context);
  return { code, ...output };
}

/** A stream whose writers wait until then. */
function passingAfter(moment: Promise<void>): Transform {
  return new Transform({
    highWaterMark: 1,
    transform: (piece, _encoding, pass) => void moment.then(() => pass(null, piece)),
  });
}

/** The words of a command line; quotes keep words together. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
