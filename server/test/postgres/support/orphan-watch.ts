import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Reads process ids from its input, one per line; an empty line means none. When the input ends, it ends the last
 * process with the signal $2 and finally with KILL, and removes the folder $1.
 */
const SCRIPT = `
pid=
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
  kill -CONT "$pid" && kill -"$2" "$pid"
  tries=0
  while [ $tries -lt 80 ] && kill -0 "$pid"; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL "$pid"
fi
rm -rf "$1"
`;

/**
 * Ends a process and removes its folder after this process has exited for any reason: a watcher process waits for the
 * end of a pipe that only this process holds.
 */
export class OrphanWatch {
  readonly #watcher: ChildProcess;

  /** @param signal the signal that ends the watched process */
  constructor(folder: string, signal: 'QUIT' | 'TERM') {
    this.#watcher = spawn('/bin/sh', ['-c', SCRIPT, 'sh', folder, signal], {
      cwd: '/',
      // A Ctrl-C must not end it before its work is done.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#watcher.unref();
    // Bun's pipes have no references.
    (this.#watcher.stdin as Socket).unref?.();
    this.#watcher.stdin?.on('error', () => {});
  }

  watch(pid: number | undefined): void {
    this.#watcher.stdin?.write(`${pid ?? ''}\n`);
  }

  /** Nothing is left to end. */
  release(): void {
    this.#watcher.stdin?.end('\n');
  }
}
