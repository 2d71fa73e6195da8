import { runProgram } from '../../src/cli/program.ts';

/** One command line for this process. */
export interface CommandRequest {
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a command line printed, and its exit code. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const printed = { stdout: '', stderr: '' };

/** The program of a child process that runs command lines, one after the other, and sends each result to its parent. */
process.on('message', (request: CommandRequest) => void run(request));
process.once('disconnect', () => process.exit());

async function run({ words, folder, env }: CommandRequest): Promise<void> {
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.assign(printed, { stdout: '', stderr: '' });
  const code = await runProgram(words);
  // A test may unmount the folder.
  process.chdir('/');
  process.send?.({ code, ...printed } satisfies Ended);
}

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array) => {
    printed[name] += String(text);
    return true;
  };
}
