import type { Change, Stock } from '../../domain/ledger/stock.ts';
import { packOrder, packPlacement, unpackOrder, unpackPlacement } from './packed-orders.ts';
import type { FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';

/**
 * The form of writes and their results between the two threads. Structured cloning of an object with named members
 * costs three times as much as of an array (DECISIONS.md). Changes without conditions and without an explanation, and
 * their results, are sent as arrays, and orders as text; all other messages are sent unchanged.
 */

type PackedKind = keyof typeof VALUE_MEMBER;
type PackedChange = readonly [
  kind: PackedKind,
  petId: bigint,
  value: number | string,
  actor: string,
  actorName: string,
  requestId: string | null,
  atMs: number,
];
type PackedStock = readonly [
  quantity: number,
  status: Stock['status'],
  version: number,
  lastSequence: number,
  updatedAtMs: number,
  reserved: number,
  alertLevel: Stock['alertLevel'],
  lowStockAt: number | null,
  restockAt: number | null,
];
export type PackedMessage = PackedChange | string | WriterMessage;
export type PackedReply = PackedStock | string | WriterReply;

/** Result of one batch: all of it is on disk, or nothing. */
export type BatchReply =
  | { readonly results: readonly PackedReply[] }
  | { readonly failure: string; readonly kind: FailureKind };

/** Members of a change that a packed change has. */
const PACKED_MEMBERS: ReadonlySet<string> = new Set(['kind', 'petId', 'quantity', 'delta', 'status']);

export function packMessage(write: WriterMessage): PackedMessage {
  if (write.kind !== 'changeStock') return write;
  const { author, command, idempotency, activity } = write.request;
  if (activity) return write;
  if (command.kind === 'place') return packPlacement(write.request, command);
  if (command.kind !== 'change' || idempotency || !isPlain(command.change)) return write;
  const { change } = command;
  return [
    change.kind,
    change.petId,
    wantedValue(change),
    author.actor,
    author.actorName,
    author.requestId,
    author.atMs,
  ];
}

export function unpackMessage(packed: PackedMessage): WriterMessage {
  if (typeof packed === 'string') return { kind: 'changeStock', request: unpackPlacement(packed) };
  if (!isArray(packed)) return packed;
  const [kind, petId, value, actor, actorName, requestId, atMs] = packed;
  const change = { kind, petId, [VALUE_MEMBER[kind]]: value } as unknown as Change;
  const author = { actor, actorName, requestId, atMs };
  return { kind: 'changeStock', request: { author, command: { kind: 'change', change } } };
}

export function packReply(result: WriterReply): PackedReply {
  if (result?.kind !== 'written') return result;
  const { result: written } = result;
  if (written.kind === 'order') {
    return written.code === 'done' && written.order ? packOrder(written.order) : result;
  }
  if (written.kind !== 'single') return result;
  const { code, stock, movement } = written;
  if (code !== 'done' || movement !== null || !stock) return result;
  const { quantity, status, version, lastSequence, updatedAtMs } = stock;
  const { reserved, alertLevel, lowStockAt, restockAt } = stock;
  return [quantity, status, version, lastSequence, updatedAtMs, reserved, alertLevel, lowStockAt, restockAt];
}

export function unpackReply(packed: PackedReply): WriterReply {
  if (typeof packed === 'string') return unpackOrder(packed);
  if (packed === null || !isArray(packed)) return packed;
  const [quantity, status, version, lastSequence, updatedAtMs, ...facts] = packed;
  const [reserved, alertLevel, lowStockAt, restockAt] = facts;
  const stock = {
    quantity,
    status,
    version,
    lastSequence,
    updatedAtMs,
    reserved,
    alertLevel,
    lowStockAt,
    restockAt,
  };
  return { kind: 'written', result: { kind: 'single', code: 'done', stock, movement: null } };
}

const VALUE_MEMBER = { set: 'quantity', adjust: 'delta', status: 'status' } as const;

type PlainChange = Extract<Change, { readonly kind: PackedKind }>;

function wantedValue(change: PlainChange): number | string {
  if (change.kind === 'set') return change.quantity;
  return change.kind === 'adjust' ? change.delta : change.status;
}

function isPlain(change: Change): change is PlainChange {
  for (const name in change) {
    if (change[name as keyof Change] !== undefined && !PACKED_MEMBERS.has(name)) return false;
  }
  return true;
}

/** `Array.isArray` does not narrow to a readonly tuple. */
function isArray<T extends readonly unknown[]>(value: T | object): value is T {
  return Array.isArray(value);
}
