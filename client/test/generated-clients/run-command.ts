import { execFile } from 'node:child_process';

/** A client in Rust compiles 200 packages. */
const TIMEOUT_MS = 1_200_000;

/** Runs a command in a folder and resolves with its output. @throws Error with the end of its output. */
export function runCommand(
  folder: string,
  command: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { ...process.env, ...env }, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
    execFile(command, words, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const written = `${stdout}${stderr}`.trim().slice(-2_000);
      reject(new Error(`${command} ${words[0]}: ${error.code ?? error.signal}\n${written}`));
    });
  });
}
