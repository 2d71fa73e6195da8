import { hash } from 'node:crypto';
import { bigintAsText } from '../../domain/bigint-as-text.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Idempotency, WriteAnswer, WriteCommand } from '../../domain/write-command.ts';
import type { RequestContext } from '../request/request-context.ts';

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
    'Idempotency-Key must have 1 to 255 visible ASCII characters, bare or between quotes.',
  );
}

/** What a key of a caller stands for: its scope, and what is asked under it. */
export function idempotencyOf(context: RequestContext, key: string, command: WriteCommand): Idempotency {
  const account = context.principal?.account.id;
  const scope = JSON.stringify([account, context.request.method, decodeURIComponent(context.path), key]);
  return { scope: digest(scope), fingerprint: digest(JSON.stringify(command, bigintAsText)) };
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The keys whose requests are being carried out by this process now. */
export class InFlightKeys {
  readonly #underWay = new Map<string, { fingerprint: string; answer: Promise<WriteAnswer> }>();

  /** @throws ApiError When the same request is being carried out. Another one under its key waits for what comes of it. */
  async hold({ scope, fingerprint }: Idempotency, work: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
    for (let other = this.#underWay.get(scope); other; other = this.#underWay.get(scope)) {
      const answer = await other.answer.catch(() => undefined);
      if (other.fingerprint !== fingerprint) continue;
      // What is only told again has been carried out before.
      if (answer && answer.kind !== 'written') return answer;
      throw inProgress();
    }
    const answer = work();
    this.#underWay.set(scope, { fingerprint, answer });
    try {
      return await answer;
    } finally {
      this.#underWay.delete(scope);
    }
  }
}

function inProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being carried out; ask again.',
    { headers: { 'Retry-After': '1' } },
  );
}

export function keyReused(): ApiError {
  return new ApiError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request within the last 24 hours; take a new one.',
  );
}
