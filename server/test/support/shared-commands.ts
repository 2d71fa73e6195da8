import { type ChildProcess, fork } from 'node:child_process';
import { COMMAND_PROCESS } from './bundle/service-program.ts';
import type { CommandRequest, Ended } from './command-process.ts';

/** Variables that the service reads. The runtime reads the others when a process starts. */
const OF_SERVICE = /^(?:PETSTORE_|PORT$)/;

/** Child processes that run no command, by their variables. */
const idle = new Map<string, ChildProcess[]>();

/**
 * Runs a command line in a child process that stays for the next one, because most of the time of a short command is the
 * start of its process. Concurrent commands run in several processes. They end with the process of the test.
 */
export async function runShared(request: CommandRequest): Promise<Ended> {
  const variables = JSON.stringify(Object.entries(request.env).filter(([name]) => !OF_SERVICE.test(name)));
  const children = idle.getOrInsertComputed(variables, () => []);
  const child = children.pop() ?? startChild(request);
  // Bun's channels have no references.
  child.channel?.ref?.();
  try {
    const ended = await resultOf(child, request);
    children.push(child);
    return ended;
  } finally {
    child.channel?.unref?.();
  }
}

function startChild({ env }: CommandRequest): ChildProcess {
  const child = fork(COMMAND_PROCESS, { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.unref();
  return child;
}

function resultOf(child: ChildProcess, request: CommandRequest): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`The process of a command ended with ${code}.`));
    child.once('exit', fail);
    child.once('message', (ended) => {
      child.off('exit', fail);
      resolve(ended as Ended);
    });
    child.send(request);
  });
}
