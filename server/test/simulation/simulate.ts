import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = 'server/test/simulation/main.ts';
/** Most objects of a simulation are dead after a step. */
const YOUNG_GENERATION = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Seeds {
  readonly first: number;
  readonly count: number;
  readonly steps: number;
  /** Whether the hash of the trace of each seed is printed. */
  readonly traces?: boolean;
}

/**
 * Simulates seeds, and returns what `main.ts` prints. In another process, because the hooks of node:test make promises four
 * times as slow.
 * @param root Another copy of the repository.
 */
export function simulate({ first, count, steps, traces }: Seeds, root = ROOT): Promise<string> {
  const words = [...YOUNG_GENERATION, MAIN];
  words.push('--seed', String(first), '--count', String(count), '--steps', String(steps));
  if (traces) words.push('--traces');
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(output.trim()));
  });
}
