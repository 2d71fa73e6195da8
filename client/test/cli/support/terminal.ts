import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Answers to what a program shows: when the text has appeared, the keys are pressed. */
export type Step = readonly [shown: string, keys: string];

export interface Session {
  readonly code: number;
  /** All that the terminal received. */
  readonly screen: string;
}

/** Runs a program in a pseudo-terminal of 100 columns. Every runtime has the same, because Python opens it. */
const PYTHON = `
import fcntl, json, os, pty, signal, struct, sys, termios
signal.alarm(60)
words, steps = json.load(sys.stdin)
pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
    os.execvp(words[0], words)
screen, seen = b'', 0
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:
        break
    if not piece:
        break
    screen += piece
    while steps and steps[0][0].encode() in screen[seen:]:
        shown, keys = steps.pop(0)
        seen = screen.index(shown.encode(), seen) + len(shown.encode())
        os.write(master, keys.encode())
_, status = os.waitpid(pid, 0)
print(json.dumps({'code': os.waitstatus_to_exitcode(status), 'screen': screen.decode('utf8', 'replace'), 'missing': steps}))
`;

/** Runs a program on a terminal until it ends. @throws Error if a text of a step never appeared. */
export async function onTerminal(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  steps: readonly Step[] = [],
): Promise<Session> {
  const child = spawn('python3', ['-c', PYTHON], {
    env: { TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify([words, steps]));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  if (output === '') throw new Error(`${words.join(' ')} did not end within a minute.`);
  const { missing, ...session } = JSON.parse(output) as Session & { missing: Step[] };
  if (missing.length > 0) throw new Error(`${missing[0]?.[0]} did not appear in:\n${session.screen}`);
  return session;
}
