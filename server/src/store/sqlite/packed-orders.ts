import { type FlatOrder, flatOrder, orderOf } from '../../domain/orders/order-text.ts';
import type { Order, PlaceOrderCommand } from '../../domain/orders/orders.ts';
import type { WriteRequest } from '../../domain/write-command.ts';
import type { WriteOutcome } from '../idempotency/records.ts';

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

export function packPlacement({ author, idempotency }: WriteRequest, command: PlaceOrderCommand): string {
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

export function unpackPlacement(text: string): WriteRequest {
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

export function packOrder(order: Order): string {
  return JSON.stringify(flatOrder(order));
}

/** The result of a step that is done. */
export function unpackOrder(text: string): WriteOutcome {
  const order = orderOf(JSON.parse(text) as FlatOrder);
  return {
    kind: 'written',
    result: { kind: 'order', code: 'done', order, line: null, petId: null, stock: null },
  };
}
