import { hash } from 'node:crypto';
import type { Principal } from '../../domain/access/principal.ts';
import { bigintAsText } from '../../domain/bigint-json.ts';
import { ApiError } from '../../domain/errors.ts';
import { type Idempotency, KEY_REUSED, type WriteOutcome } from '../../domain/write-command.ts';
import type { RequestContext } from '../request/request-context.ts';
import { sentValue } from '../request/sent-value.ts';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 9651 section 3.3.3. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/** Reads `Idempotency-Key`, bare or quoted; `undefined` without it. @throws ApiError `invalid_idempotency_key`. */
export function readIdempotencyKey(context: RequestContext): string | undefined {
  const header = context.header('idempotency-key');
  if (header === null) return undefined;
  const text = header.trim();
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  if (key !== undefined && VISIBLE.test(key)) return key;
  throw new ApiError(
    'invalid_idempotency_key',
    `Idempotency-Key must have 1 to 255 visible ASCII characters, with or without quotes.${sentValue(text)}`,
  );
}

/** The scope of a caller's key, and the fingerprint of the request. */
export function idempotencyOf(context: RequestContext, key: string, command: object): Idempotency {
  const { key: apiKey, account } = context.principal as Principal;
  // Management keys have no account in common, and a client continues with the key that replaced its own.
  const caller = apiKey.role === null ? account.id : (apiKey.firstKeyId ?? apiKey.id);
  const scope = JSON.stringify([caller, context.request.method, decodeURIComponent(context.path), key]);
  return { scope: digest(scope), fingerprint: digest(JSON.stringify(command, bigintAsText)) };
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The keys whose requests this process is running now. */
export class InFlightKeys {
  readonly #running = new Map<string, { fingerprint: string; outcome: Promise<WriteOutcome> }>();

  /**
   * Runs a write under its key. A different request with the same key waits until the running one ends.
   * @throws ApiError `idempotency_in_progress` when the same request is running.
   */
  async run({ scope, fingerprint }: Idempotency, write: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
    for (let other = this.#running.get(scope); other; other = this.#running.get(scope)) {
      const outcome = await other.outcome.catch(() => undefined);
      if (other.fingerprint !== fingerprint) continue;
      // A replay proves that the request was done before.
      if (outcome && outcome.kind !== 'written') return outcome;
      throw inProgress();
    }
    const outcome = write();
    this.#running.set(scope, { fingerprint, outcome });
    try {
      return await outcome;
    } finally {
      this.#running.delete(scope);
    }
  }
}

function inProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still in progress. Retry later.',
    { headers: { 'Retry-After': '1' } },
  );
}

export function keyReused(): ApiError {
  return new ApiError('idempotency_key_reused', KEY_REUSED);
}
