import { type ChildProcess, spawn } from 'node:child_process';
import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { OperatorError } from '../../../domain/errors.ts';
import { cleanedUp } from '../../cleaned-up.ts';
import { DURABLE_SESSION } from '../server/server-safety.ts';
import { KEEP_ALIVE, NO_TIME_OUTS } from '../server/session-values.ts';
import { failedTool, type Tool, type ToolAddress } from './tools.ts';

/** psql ends with this after an error of the server to a statement, such as a commit that it refuses and rolls back. */
const REFUSED = 3;
/** psql prints this after it has run everything before the commit. */
const FILLED = 'petstore-server: everything is filled in';
/** pg_restore of 17 and newer sets it on any server, and older servers do not know it. */
const TRANSACTION_TIMEOUT = /^SET transaction_timeout = 0;\n/m;
/** pg_restore writes its settings at the beginning. */
const PREAMBLE_CHARACTERS = 4_096;

interface RestoreScript {
  readonly psql: Tool;
  readonly restore: Tool;
  readonly target: ToolAddress;
  readonly file: string;
  readonly schema: string;
  /** Statements that the same transaction runs first. */
  readonly before?: string;
  /** Called when only the commit is left; what it throws undoes everything. */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * Runs the statements of a backup in one transaction. After an error or the end of any of the processes, the database has
 * nothing of it: the commit is sent only after pg_restore succeeded, and psql without its end rolls back.
 */
export function runRestoreScript(script: RestoreScript): Promise<void> {
  const children: ChildProcess[] = [];
  return cleanedUp(
    () => restoreIn(script, children),
    () => {
      for (const child of children) child.kill();
    },
  );
}

async function restoreIn(
  { psql, restore, target, file, schema, before = '', beforeCommit }: RestoreScript,
  children: ChildProcess[],
): Promise<void> {
  const reader = spawn(
    restore.path,
    ['--no-owner', '--no-privileges', '--exit-on-error', `--schema=${schema}`, '--file=-', file],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const writer = spawn(
    psql.path,
    ['--no-psqlrc', '--quiet', '--no-password', '--set=ON_ERROR_STOP=1', '--file=-', target.address],
    { env: target.environment, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  children.push(reader, writer);
  const [read, written] = [endOf(reader), endOf(writer)];
  const filled = printed(writer, FILLED);
  // psql closes its input when it fails, and its own error says why.
  writer.stdin.on('error', () => {});
  writer.stdin.write(`${NO_TIME_OUTS};\n${KEEP_ALIVE};\nBEGIN;\n${DURABLE_SESSION};\n${before}`);
  const statements = reader.stdout.pipe(withoutTransactionTimeout());
  statements.pipe(writer.stdin, { end: false });
  // A psql that failed does not read, and pg_restore would wait for it.
  const failed = written.then(({ code, stderr }) => {
    reader.kill();
    throw failedTool(psql, stderr, code);
  });
  const { code, stderr } = await Promise.race([read, failed]);
  if (code !== 0) {
    writer.kill();
    throw new OperatorError(
      `${file} cannot be restored (${failedTool(restore, stderr, code).message}); use an older backup.`,
    );
  }
  // The end of pg_restore is not that of its output: what psql has not taken yet is in the pipe between them.
  await Promise.race([finished(statements), failed]);
  writer.stdin.write(`\\echo ${FILLED}\n`);
  await Promise.race([filled, failed]);
  await beforeCommit?.().catch((error: unknown) => {
    writer.kill();
    throw error;
  });
  writer.stdin.end('COMMIT;\n');
  const end = await written;
  failed.catch(() => {});
  if (end.code === 0) return;
  const failure = failedTool(psql, end.stderr, end.code);
  if (end.code === REFUSED) throw failure;
  throw new OperatorError(
    `${failure.message.replace(/[.!]?$/, '.')} This was during the commit, so that the backup may be restored: look at the database with petstore-server verify, before you restore again.`,
    { cause: failure },
  );
}

function endOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });
}

function printed(child: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve) => {
    let tail = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-2 * line.length);
      if (tail.includes(line)) resolve();
    });
  });
}

function withoutTransactionTimeout(): Transform {
  let preamble: string | undefined = '';
  const cut = () => {
    const text = (preamble ?? '').replace(TRANSACTION_TIMEOUT, '');
    preamble = undefined;
    return Buffer.from(text, 'latin1');
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (preamble === undefined) return done(null, chunk);
      // One byte per character, so that no letter is cut.
      preamble += chunk.toString('latin1');
      return preamble.length < PREAMBLE_CHARACTERS ? done() : done(null, cut());
    },
    flush(done) {
      done(null, preamble === undefined ? undefined : cut());
    },
  });
}
