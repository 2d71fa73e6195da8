import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '@petstore-inventory/shared/durations';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import { ApiError } from '../../../domain/errors.ts';
import type { ActionAuthor } from '../../../domain/management/activity.ts';
import type { Import, ImportStore, NewImport } from '../../../domain/management/imports.ts';
import { BODY_TOO_LARGE, errorComponent, WITH_BODY } from '../../openapi/error-responses.ts';
import { header } from '../../openapi/headers.ts';
import type { Body } from '../../operation/body.ts';
import { isEncoded, late, sentForm, tooLarge, unreceived } from '../../request/json-body.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { WORKBOOK_TYPE } from '../../../wire/workbook-file.ts';

/** A part of a file in the database; so much of it is in memory. */
const PART_BYTES = 1_048_576;
/** A slow upload is written so often that it does not count as interrupted. */
const PART_INTERVAL_MS = 10_000;
/** A client that sends nothing for so long has gone. */
const SILENCE_SECONDS = 15;
/** Longer than that, because nothing is read while a part waits for a locked database. */
const CONNECTION_SILENCE_SECONDS = 60;
/** The slowest line for the largest file by default: 75 kB per second. */
const MAX_UPLOAD_MS = HOUR_MS;
/** A client that sends a byte per second would keep its place for an hour. */
const MIN_BYTES_PER_SECOND = 1_000;
/** A small file may arrive slowly, and any file begin slowly. */
const SLOW_START_MS = 30_000;
/** A part is written to the log of the database, and copied from there into the database. */
const COPIES = 2;

const FORMATS: readonly (readonly [pattern: RegExp, format: ImportFormat])[] = [
  [/^text\/csv$/, 'csv'],
  [/^application\/json$/, 'json'],
  [/^application\/(?:x-ndjson|jsonl)$/, 'ndjson'],
  [/^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet$/, 'xlsx'],
];
const FILE_TYPES = ['text/csv', 'application/json', 'application/x-ndjson', WORKBOOK_TYPE] as const;
const PARAMETER = /^(?:charset="?utf-8"?|header=present)?$/;

/** A file as a body. Only its format is read before `handle`, which calls `receiveFile`. */
export const FILE: Body<ImportFormat> = {
  schema: z.string().openapi({ description: 'The file.' }),
  required: true,
  mediaTypes: FILE_TYPES,
  errors: {
    ...WITH_BODY,
    413: { ...BODY_TOO_LARGE, description: 'The file is larger than `PETSTORE_MAX_IMPORT_BYTES`.' },
    415: errorComponent('UnknownFileType', {
      description: 'The body is not a file of a known type.',
      headers: header('Accept', 'AcceptFile', {
        description: 'The supported media types (RFC 9110 section 12.5.1).',
        required: true,
        schema: { type: 'string', const: FILE_TYPES.join(', ') },
      }),
    }),
  },
  read: async (context) => readFormat(context),
};

/** @throws ApiError `unsupported_media_type`. */
function readFormat(context: RequestContext): ImportFormat {
  const [type = '', ...parameters] = (context.header('content-type') ?? '').toLowerCase().split(';');
  const format = FORMATS.find(([pattern]) => pattern.test(type.trim()))?.[1];
  const isText = parameters.every((parameter) => PARAMETER.test(parameter.trim()));
  if (format !== undefined && isText && !isEncoded(context)) return format;
  throw new ApiError(
    'unsupported_media_type',
    `Send the file as ${FILE_TYPES.join(', ')}, without a Content-Encoding; a charset must be utf-8, or absent. ${sentForm(context)}`,
    { headers: { Accept: FILE_TYPES.join(', ') } },
  );
}

interface ReceivedFile extends Omit<NewImport, 'actor'> {
  readonly author: ActionAuthor;
  readonly limits: FileLimits;
}

export interface FileLimits {
  /** The largest file. */
  readonly maxBytes: number;
  /** The bytes that files may take of the disk now; `undefined`: unknown. */
  readonly room: () => Promise<number | undefined>;
}

/**
 * Writes the body of a request as the file of a new import, part by part. After any error nothing of it is left.
 * @throws ApiError `body_too_large`, `disk_full`, `request_timeout`, `malformed_request`, or the refusal of a key that was revoked meanwhile.
 */
export async function receiveFile(
  context: RequestContext,
  imports: ImportStore,
  { author, limits: { maxBytes, room }, ...upload }: ReceivedFile,
): Promise<Import> {
  const declaredBytes = Number(context.header('content-length') ?? 0);
  if (declaredBytes > maxBytes) throw tooLarge(context, maxBytes, 'file');
  await requireRoom(context, room, declaredBytes);
  const id = await imports.begin({ ...upload, actor: author.actor });
  try {
    await writeParts(context, maxBytes, async (number, part) => {
      await requireRoom(context, room, COPIES * part.byteLength);
      await imports.addPart(id, number, part);
    });
    // It may have taken an hour.
    await context.requireStillValid();
    return await imports.complete(id, author);
  } catch (error) {
    // The database may have failed; then the upload ends with its lease.
    await imports.abandon(id).catch(() => undefined);
    throw error;
  }
}

async function requireRoom(context: RequestContext, room: FileLimits['room'], bytes: number): Promise<void> {
  const free = await room();
  if (free === undefined || bytes <= free) return;
  context.closes = true;
  throw new ApiError(
    'disk_full',
    `The disk of the database is full: it has room for ${Math.max(0, free)} bytes of files, and this one needs ${bytes}. Make room, or delete other imports.`,
  );
}

async function writeParts(
  context: RequestContext,
  maxBytes: number,
  write: (number: number, part: Uint8Array) => Promise<void>,
): Promise<void> {
  // The thread of the database reads the same bytes: copies in messages would be garbage that V8 collects late.
  const part = new Uint8Array(new SharedArrayBuffer(Math.min(PART_BYTES, maxBytes + 1)));
  const beganAtMs = performance.now();
  let [length, total, number, writtenAtMs] = [0, 0, 0, beganAtMs];
  const flush = async () => {
    await write(number, part.subarray(0, length));
    [length, number, writtenAtMs] = [0, number + 1, performance.now()];
  };
  for await (const piece of piecesOf(context)) {
    total += piece.byteLength;
    if (total > maxBytes) throw tooLarge(context, maxBytes, 'file');
    if (performance.now() - beganAtMs > MAX_UPLOAD_MS) throw late(context, 'file');
    for (let start = 0; start < piece.byteLength;) {
      const taken = Math.min(part.length - length, piece.byteLength - start);
      part.set(piece.subarray(start, start + taken), length);
      [start, length] = [start + taken, length + taken];
      if (length === part.length) await flush();
    }
    if (length > 0 && performance.now() - writtenAtMs > PART_INTERVAL_MS) await flush();
  }
  if (length > 0) await flush();
}

async function* piecesOf(context: RequestContext): AsyncGenerator<Uint8Array, void, undefined> {
  let [arrivedBytes, waitedMs] = [0, 0];
  context.request.allowSilence?.(CONNECTION_SILENCE_SECONDS);
  const pieces = context.request.readPieces(SILENCE_SECONDS)[Symbol.asyncIterator]();
  for (;;) {
    // Only the waits for the client count: while the database is locked, nothing is read.
    const askedAtMs = performance.now();
    const { done, value } = await pieces.next().catch((cause: unknown) => {
      throw unreceived(context, cause, 'file');
    });
    if (done) return;
    waitedMs += performance.now() - askedAtMs;
    arrivedBytes += value.byteLength;
    if (isTooSlow(arrivedBytes, waitedMs)) throw late(context, 'file');
    yield value;
  }
}

/** Whether a body arrives more slowly than a client may send it. @param waitedMs The time in which it arrived. */
export function isTooSlow(arrivedBytes: number, waitedMs: number): boolean {
  return arrivedBytes < ((waitedMs - SLOW_START_MS) / 1_000) * MIN_BYTES_PER_SECOND;
}
