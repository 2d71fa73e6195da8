import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { VERSION } from '../../src/index.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, FailedResult, Interruption } from '../failure.ts';
import { Printer } from '../terminal/printer.ts';
import { SAMPLE_TIME, SAMPLES } from './sample-events.ts';

export interface TriggerOptions {
  readonly url: URL;
  readonly pet?: bigint;
  readonly id?: string;
  readonly json?: true;
}

/** As long as the service waits. */
const TIMEOUT_MS = 10_000;
/** As much of a response as the delivery log of the service shows. */
const MAX_SHOWN_CHARACTERS = 1_000;
const MAX_READ_BYTES = 65_536;
const TEST_TYPE = 'webhook.test';

interface Message {
  readonly id: string;
  readonly body: string;
}

/** Sends a sample event one time, and prints the response. @throws CommandFailure unless it is taken */
export async function trigger(
  context: Context,
  type: string,
  secret: string,
  { url, pet, id, json }: TriggerOptions,
): Promise<void> {
  const message = messageOf(type, id, pet);
  const startMs = performance.now();
  const { statusCode, response } = await send(context, url, message, secret);
  const durationMs = Math.round(performance.now() - startMs);
  const printer = new Printer(context, json === true);
  const isTaken = statusCode >= 200 && statusCode < 300;
  const result = {
    id: message.id,
    type,
    url: url.href,
    statusCode,
    durationMs,
    response,
    body: message.body,
  };
  const shown = response === '' ? '' : `: ${safe(response)}`;
  if (isTaken || printer.isJson) {
    await printer.print(result, `${type} ${message.id} was taken: ${statusCode} in ${durationMs} ms${shown}`);
  }
  if (isTaken) return;
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const hint = isRedirect
    ? ' The service follows no redirect either: give the last address.'
    : hintOf(statusCode);
  throw new FailedResult(
    `The receiver answered ${statusCode}${shown}.${hint} The service would send the event again.`,
    EXIT.refused,
  );
}

function hintOf(status: number): string {
  return status === 401 || status === 403 ? ' Does it verify with the same secret?' : '';
}

/** A message with the bytes that the service would send: an id that it could have, and the present time. */
function messageOf(type: string, chosen: string | undefined, pet: bigint | undefined): Message {
  const timestamp = new Date().toISOString();
  const fingerprint = randomBytes(4).toString('hex');
  const number = type === 'inventory.changed' ? 0 : type.startsWith('inventory.') ? 1 : 2;
  const id = chosen ?? (type === TEST_TYPE ? `test_${randomUUID()}` : `815.${number}-${fingerprint}`);
  const data = (SAMPLES[type] as string)
    .replaceAll(TIME, (time) => shifted(time, Date.parse(timestamp)))
    .replaceAll('"petId":7,', `"petId":${pet ?? 7},`);
  return { id, body: `{"id":"${id}","type":"${type}","timestamp":"${timestamp}","data":${data}}` };
}

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A time of a sample as if it were sent now. A midnight is the end of the day. */
function shifted(time: string, nowMs: number): string {
  const isMidnight = time.endsWith('T00:00:00.000Z');
  const atMs = isMidnight
    ? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
    : Date.parse(time) + nowMs - Date.parse(SAMPLE_TIME);
  return new Date(atMs).toISOString();
}

interface Received {
  readonly statusCode: number;
  /** The beginning of the body. */
  readonly response: string;
}

async function send(
  { fetch, signal }: Context,
  url: URL,
  { id, body }: Message,
  secret: string,
): Promise<Received> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const attempt = new AbortController();
  const end = () => attempt.abort();
  signal.addEventListener('abort', end, { once: true });
  const timer = setTimeout(end, TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `petstore-inventory/${VERSION}`,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: attempt.signal,
    });
    return { statusCode: response.status, response: await beginningOf(response.body) };
  } catch (error) {
    if (signal.aborted) throw new Interruption();
    const reason = attempt.signal.aborted
      ? `there was no complete response within ${TIMEOUT_MS / 1_000} s`
      : reasonOf(error);
    throw new CommandFailure(`${url.href} did not take the event: ${reason}.`, EXIT.unreachable, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Reads a body to its end, or 64 KiB of it. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_READ_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8').slice(0, MAX_SHOWN_CHARACTERS).toWellFormed().trimEnd();
}

/** The innermost message: that of `fetch` itself is only that it failed. */
function reasonOf(error: unknown): string {
  let reason = error as Error;
  while (reason.cause instanceof Error && reason.cause.message) reason = reason.cause;
  return reason.message.replace(/\.$/, '');
}
