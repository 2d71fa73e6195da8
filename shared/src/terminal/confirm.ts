import { createInterface } from 'node:readline';

const YES = /^y(?:es)?$/i;

/** Shows a question, and returns whether the next line is "y" or "yes". Ctrl-C and Ctrl-D mean no. */
export function isConfirmed(
  question: string,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } = {
    input: process.stdin,
    output: process.stderr,
  },
): Promise<boolean> {
  const terminal = createInterface({ input, output });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(false));
    terminal.question(question, (line) => {
      resolve(YES.test(line.trim()));
      terminal.close();
    });
  });
}
