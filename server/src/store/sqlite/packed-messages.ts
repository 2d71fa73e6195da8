import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { Change, Stock } from '../../domain/ledger/stock.ts';
import { type FlatOrder, flatOrder, orderOf } from '../../domain/orders/order-text.ts';
import type { Order, PlaceOrderCommand } from '../../domain/orders/orders.ts';
import type { WriteRequest } from '../../domain/write-command.ts';
import type { StoredOutcome } from '../idempotency/records.ts';
import type { FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';

/**
 * The form of new orders, and of orders as results, between the two threads: JSON of one flat array. It takes an eighth
 * of the time of a structured clone of the same objects (DECISIONS.md).
 */

/** Means that the hold time of the rules applies. */
const HOLD_TIME = 'hold';

type PackedHead = [
  actor: string,
  actorName: string,
  requestId: string | null,
  atMs: number,
  scope: string | null,
  fingerprint: string | null,
  expiresAtMs: number | null | typeof HOLD_TIME,
  reason: PlaceOrderCommand['explanation']['reason'],
  note: string | null,
  referenceDocumentUri: string | null,
  referenceId: string | null,
  occurredAtMs: number | null,
];

function packPlacement({ author, idempotency }: WriteRequest, command: PlaceOrderCommand): string {
  const { explanation, expiresAtMs } = command;
  const packed: unknown[] = [
    author.actor,
    author.actorName,
    author.requestId,
    author.atMs,
    idempotency?.scope ?? null,
    idempotency?.fingerprint ?? null,
    expiresAtMs === undefined ? HOLD_TIME : expiresAtMs,
    explanation.reason,
    explanation.note,
    explanation.referenceDocumentUri,
    explanation.referenceId,
    explanation.occurredAtMs,
  ] satisfies PackedHead;
  for (const { petId, quantity } of command.lines) packed.push(String(petId), quantity);
  return JSON.stringify(packed);
}

function unpackPlacement(text: string): WriteRequest {
  const [
    actor,
    actorName,
    requestId,
    atMs,
    scope,
    fingerprint,
    expiresAtMs,
    reason,
    note,
    referenceDocumentUri,
    referenceId,
    occurredAtMs,
    ...values
  ] = JSON.parse(text) as [...PackedHead, ...(string | number)[]];
  const lines: { petId: bigint; quantity: number }[] = [];
  for (let i = 0; i < values.length; i += 2) {
    lines.push({ petId: BigInt(values[i] as string), quantity: values[i + 1] as number });
  }
  return {
    author: { actor, actorName, requestId, atMs },
    command: {
      kind: 'place',
      lines,
      expiresAtMs: expiresAtMs === HOLD_TIME ? undefined : expiresAtMs,
      explanation: { reason, note, referenceDocumentUri, referenceId, occurredAtMs },
    },
    ...(scope !== null && fingerprint !== null && { idempotency: { scope, fingerprint } }),
  };
}

function packOrder(order: Order): string {
  return JSON.stringify(flatOrder(order));
}

/** The result of a step that is done. */
function unpackOrder(text: string): StoredOutcome {
  const order = orderOf(JSON.parse(text) as FlatOrder);
  return {
    kind: 'written',
    result: { kind: 'order', code: 'done', order, line: null, petId: null, stock: null },
  };
}

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
type PackedReply = PackedStock | string | WriterReply;

/**
 * Result of one batch: all of it is on disk, or nothing. `head` is the newest movement, of a batch that recorded movements and
 * changed nothing else.
 */
export type BatchReply =
  | { readonly results: readonly PackedReply[]; readonly head?: LedgerHead }
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
