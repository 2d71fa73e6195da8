import { createHash } from 'node:crypto';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { threadId } from 'node:worker_threads';

/**
 * Loaded first into the process that makes the samples of responses, and into its threads: the clock stands still, and
 * what is random is the same each time.
 */
const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 30);
Date.now = () => NOW_MS;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [NOW_MS], newTarget),
});

const crypto = createRequire(import.meta.url)('node:crypto');
let count = 0;
crypto.randomBytes = (size) => {
  const blocks = [];
  for (let length = 0; length < size; length += 32) {
    count += 1;
    blocks.push(createHash('sha256').update(`${threadId} ${count}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, size);
};
crypto.randomUUID = () => {
  const hex = crypto.randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};
syncBuiltinESMExports();
