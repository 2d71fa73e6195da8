import type { IncomingMessage } from 'node:http';
import { MAX_LOGGED_CHARACTERS } from '../../domain/webhooks/webhook-endpoint.ts';

const MAX_BODY_BYTES = 64 * 1_024;
/** UTF-8 has at most this many bytes per UTF-16 code unit. */
const MAX_LOGGED_BYTES = 3 * MAX_LOGGED_CHARACTERS;

/**
 * Reads a response to its end and returns the beginning of its body. After 64 KiB it closes the connection instead of
 * reading on. Rejects if the connection breaks before.
 */
export function readBeginning(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const beginning: Buffer[] = [];
    let kept = 0;
    let bytes = 0;
    const finish = () => resolve(textOf(Buffer.concat(beginning)));
    response.on('data', (chunk: Buffer) => {
      if (kept < MAX_LOGGED_BYTES) {
        // A copy: a part of the chunk would keep all of it in memory.
        const part = Buffer.from(chunk.subarray(0, MAX_LOGGED_BYTES - kept));
        beginning.push(part);
        kept += part.length;
      }
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) {
        finish();
        response.destroy();
      }
    });
    response.once('end', finish);
    response.once('error', reject);
    response.once('close', () => reject(new Error('The response ended early.')));
  });
}

/** U+0000 is not valid in a text of PostgreSQL, and a half of a surrogate pair is not valid in UTF-8. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '\u{FFFD}');
  return text.slice(0, MAX_LOGGED_CHARACTERS).toWellFormed();
}
