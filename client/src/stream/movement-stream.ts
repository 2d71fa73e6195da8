import type { ErrorBody, Movement, StreamMovementsQuery } from '../api/schemas.ts';
import { pause } from '../clock.ts';
import { PetstoreError } from '../errors.ts';
import { parseExact } from '../exact-json.ts';
import { readPieces } from '../http/body-reader.ts';
import type { Caller } from '../http/caller.ts';
import type { StreamOptions } from '../options.ts';
import { EventStreamParser, type StreamBlock } from './event-stream.ts';
import { lostMovement, MovementOrder } from './movement-order.ts';

/** A movement that only this ledger has: its hash depends on all before it. */
type Place = Pick<Movement, 'sequence' | 'hash'>;

const MOVEMENT_PATH = '/movements/{sequence}';
const SILENCE_MS = 45_000;
const FIRST_RECONNECT_MS = 2_000;
/** The shortest pause before a reconnection, whatever `retry` is: a stream that always ends immediately takes few requests. */
const MIN_RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 20_000;
/** The ends of a stream after which a new one continues it. */
const RESUMABLE: readonly string[] = [
  'connection_failed',
  'timed_out',
  'service_unavailable',
  'internal_error',
];

/**
 * Every movement once and in order, also over broken connections. The first connection is a call like any other; later
 * ones are tried until the caller stops.
 */
export async function* followMovements(
  caller: Caller,
  query: StreamMovementsQuery = {},
  options: StreamOptions = {},
): AsyncGenerator<Movement, void, undefined> {
  const { clock } = caller.settings;
  const { signal, silenceMs = SILENCE_MS } = options;
  const order = new MovementOrder(query.after);
  let newest: Place | undefined;
  let retryMs = FIRST_RECONNECT_MS;
  let failures = 0;
  let body = await caller.open('/movements/stream', { query, options });
  let isFirst = true;
  let isPlaced = false;
  /** Without its hash, a stream on which nothing happens would continue another ledger. */
  const findPlace = () => {
    if (isPlaced || order.last === undefined) return;
    isPlaced = true;
    void placeAt(caller, order.last, signal).then((place) => {
      // After a restart of the service, it may be a place in another ledger.
      if (isFirst) newest ??= place;
    });
  };
  findPlace();
  for (;;) {
    try {
      const parser = new EventStreamParser();
      for await (const piece of readPieces(body, { clock, silenceMs, signal })) {
        for (const block of parser.push(piece)) {
          retryMs = Math.max(MIN_RECONNECT_MS, block.retryMs ?? retryMs);
          for (const movement of movementsOf(block, order)) {
            newest = movement;
            failures = 0;
            yield movement;
          }
          if (!newest) findPlace();
        }
      }
    } catch (error) {
      if (!(error instanceof PetstoreError && RESUMABLE.includes(error.code))) throw error;
      options.onDisconnect?.(error);
    }
    isFirst = false;
    order.restart();
    await pause(clock, clock.random() * Math.min(MAX_RECONNECT_MS, retryMs * 2 ** failures), signal);
    failures += 1;
    body = await reconnect(caller, order.last, newest, options);
  }
}

/** The movement at a sequence, if there is one and the limits admit a request now. */
async function placeAt(
  caller: Caller,
  sequence: number,
  signal: AbortSignal | undefined,
): Promise<Place | undefined> {
  if (sequence === 0) return undefined;
  const options = { signal, maxWaitMs: 0, maxRetries: 0 };
  try {
    return (await caller.call<Movement>('GET', MOVEMENT_PATH, { path: [sequence], options })).data;
  } catch {
    return undefined;
  }
}

/** Opens the stream again. @throws PetstoreError with `ledger_replaced` if it would continue another ledger */
async function reconnect(
  caller: Caller,
  after: number | undefined,
  newest: Place | undefined,
  streamOptions: StreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const forever = Number.POSITIVE_INFINITY;
  const options = { ...streamOptions, maxWaitMs: forever, maxRetries: forever };
  try {
    if (newest) {
      const path = [newest.sequence];
      const { data } = await caller.call<Movement>('GET', MOVEMENT_PATH, { path, options });
      if (data.hash !== newest.hash) throw ledgerReplaced();
    }
    return await caller.open('/movements/stream', { query: { after }, options });
  } catch (error) {
    // The ledger has no place for the position any more. A pruned movement is another error.
    const isMissing = error instanceof PetstoreError && /^(not_found|invalid_parameter)$/.test(error.code);
    throw isMissing ? ledgerReplaced() : error;
  }
}

function ledgerReplaced(): PetstoreError {
  const message = 'The ledger was replaced by another one, such as a restored backup. List the stock again.';
  return new PetstoreError(message, { code: 'ledger_replaced' });
}

/** The movements that a block completes. @throws PetstoreError if the stream ends with it, or cannot go on */
function movementsOf({ type, data, id }: StreamBlock, order: MovementOrder): Movement[] {
  if (type === 'end') {
    const { code, message, status } = parsed<ErrorBody>(data);
    throw new PetstoreError(message, { code, status });
  }
  if (type === 'movement') {
    const movement = parsed<Movement>(data);
    if (!Number.isSafeInteger(movement.sequence)) throw lostMovement();
    return order.add(movement);
  }
  if (id !== undefined && /^\d{1,15}$/.test(id)) order.last ??= Number(id);
  // A comment comes only when nothing else does, so what is missing was lost.
  if (order.hasGap) throw lostMovement();
  return [];
}

function parsed<T>(data: string): T {
  let value: unknown;
  try {
    value = parseExact(data);
  } catch {}
  if (value === null || typeof value !== 'object') throw lostMovement();
  return value as T;
}
