import type { PetStatus } from '@petstore-inventory/shared/words';
import { errorOf } from '../blackbox/api-request.ts';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import type {
  Action,
  Change,
  OrderKind,
  Outcome,
  Refusal,
  Reported,
  StatusChange,
} from './checker/history.ts';
import { type MovementJson, parseMovement, parsePetIds } from './checker/movement-pages.ts';
import type { RaceRequest } from './connections.ts';
import type { OrderAction, OrderOutcome } from './orders/order-operation.ts';

/** The effect of a request on one pet: an operation of its history. */
export interface Part {
  readonly petId: bigint;
  readonly action: Action;
  /** The `referenceId` of its movements, which no other operation has. */
  readonly mark?: string;
}

/** A request of a race, and how its answer is read. */
export interface CheckedRequest {
  readonly request: RaceRequest;
  readonly parts: readonly Part[];
  /** Reads the outcome of each part from an answer. @throws Error if no request of a race may get this answer. */
  outcomesOf(answer: RawResponse): readonly Outcome[];
  /** What it does with orders, and how its answer is read about each. */
  readonly order?: {
    readonly actions: readonly OrderAction[];
    outcomesOf(answer: RawResponse): readonly OrderOutcome[];
  };
}

/** The stock of a pet that a client saw last, with its entity tag. */
export interface Sighting extends Reported {
  readonly tag?: string;
}

export interface ItemJson {
  readonly petId: bigint;
  readonly quantity: number;
  readonly status: PetStatus;
  readonly reserved?: number;
  readonly version?: number;
}

/** A change that is no step of an order. */
export type PlainChange = Exclude<Change, { readonly kind: OrderKind }>;

const REFUSALS: readonly string[] = ['precondition_failed', 'conflict', 'insufficient_stock'];

/** A single change; its conditions are those of the change, and `tag` is the entity tag of its `ifVersion`. */
export function requestChange(
  petId: bigint,
  change: PlainChange,
  mark: string,
  tag: string | undefined,
): CheckedRequest {
  const { method, path, body } = changeRequest(petId, change);
  const text = {
    ...body,
    ...(change.ifQuantity === undefined ? {} : { changeFromQuantity: change.ifQuantity }),
    referenceId: mark,
  };
  return {
    request: {
      method,
      path,
      body: JSON.stringify(text),
      ...(change.ifVersion === undefined || tag === undefined ? {} : { headers: { 'If-Match': tag } }),
    },
    parts: [{ petId, action: change, mark }],
    outcomesOf: (answer) => [outcomeOf(answer)],
  };
}

function changeRequest(petId: bigint, change: PlainChange): { method: string; path: string; body: object } {
  const item = `/v1/inventory/${petId}`;
  switch (change.kind) {
    case 'set':
      return { method: 'PATCH', path: item, body: { quantity: change.quantity } };
    case 'adjust':
      return {
        method: 'POST',
        path: `${item}/adjustments`,
        body: { delta: change.delta, reason: 'correction', takeReserved: change.takesReserved },
      };
    case 'status':
      return { method: 'PUT', path: `${item}/status`, body: { status: change.status } };
    case 'revert':
      return {
        method: 'POST',
        path: `/v1/movements/${change.sequence}/revert`,
        body: { takeReserved: change.takesReserved },
      };
  }
}

/** The outcome of a change of one pet. */
export function outcomeOf(answer: RawResponse): Outcome {
  if (answer.status === 200) return { result: 'done', ...reportedByItem(itemsOf(answer)[0]!) };
  if (answer.status === 201)
    return { result: 'done', ...reportedByMovement(parseMovement(String(answer.body))) };
  const quantity = answer.headers.get('inventory-quantity');
  const version = answer.headers.get('inventory-version');
  return {
    result: 'refused',
    refusal: refusalOf(answer),
    ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
    ...(version === undefined ? {} : { version: Number(version) }),
  };
}

function refusalOf(answer: RawResponse): Refusal {
  if (answer.status < 400) throw unexpected(answer);
  const { code } = errorOf(answer);
  if (!isRefusal(code)) throw unexpected(answer);
  return code;
}

/** Whether the code of an error depends on the stock. */
export function isRefusal(code: string): code is Refusal {
  return REFUSALS.includes(code);
}

/** An answer that no request of a race may get. */
export function unexpected({ status, body }: RawResponse): Error {
  return new Error(`Unexpected answer ${status}: ${body.toString('utf8', 0, 500)}`);
}

function itemsOf(answer: RawResponse): readonly ItemJson[] {
  const items = parsePetIds(String(answer.body)) as ItemJson | readonly ItemJson[];
  return Array.isArray(items) ? (items as readonly ItemJson[]) : [items as ItemJson];
}

function reportedByItem({ quantity, status, reserved, version }: ItemJson): Reported {
  return {
    quantity,
    status,
    ...(reserved === undefined ? {} : { reserved }),
    ...(version === undefined ? {} : { version }),
  };
}

function reportedByMovement(movement: MovementJson): Reported {
  const { quantityBefore, quantityAfter, reservedAfter, statusAfter, version, sequence } = movement;
  const after = { quantity: quantityAfter, reserved: reservedAfter, status: statusAfter };
  return { quantityBefore, ...after, version, sequence };
}

/** Reads a pet; with the tag of the last read, the answer may be 304. */
export function requestItem(petId: bigint, seen: Sighting | undefined): CheckedRequest {
  const { tag, ...reported } = seen ?? {};
  return {
    request: {
      method: 'GET',
      path: `/v1/inventory/${petId}`,
      ...(tag === undefined ? {} : { headers: { 'If-None-Match': tag } }),
    },
    parts: [{ petId, action: { kind: 'read' } }],
    outcomesOf: (answer) => {
      if (answer.status === 304 && tag !== undefined) return [{ result: 'done', ...reported }];
      if (answer.status !== 200) throw unexpected(answer);
      return [{ result: 'done', ...reportedByItem(itemsOf(answer)[0]!) }];
    },
  };
}

/** A look at the newest movement of a pet, and so at its stock. */
export function requestNewest(petId: bigint, note: (movement: MovementJson) => void): CheckedRequest {
  return {
    request: { method: 'GET', path: `/v1/inventory/${petId}/movements?order=desc&limit=1` },
    parts: [{ petId, action: { kind: 'read' } }],
    outcomesOf: (answer) => {
      if (answer.status !== 200) throw unexpected(answer);
      const [newest] = parsePetIds(String(answer.body)) as readonly MovementJson[];
      if (!newest) throw unexpected(answer);
      note(newest);
      const { quantityAfter: quantity, reservedAfter: reserved, statusAfter: status, version } = newest;
      return [{ result: 'done', quantity, reserved, status, version }];
    },
  };
}

/** A list that a client received, and the sequence that the service reports for it. */
export interface ReceivedList {
  readonly sequence: number;
  readonly items: readonly ItemJson[];
}

/** A look at all pets. */
export function requestList(petIds: readonly bigint[], note: (list: ReceivedList) => void): CheckedRequest {
  return {
    request: { method: 'GET', path: '/v1/inventory' },
    parts: petIds.map((petId) => ({ petId, action: { kind: 'read' } })),
    outcomesOf: (answer) => {
      const sequence = Number(answer.headers.get('inventory-sequence'));
      if (answer.status !== 200 || !(sequence > 0)) throw unexpected(answer);
      const items = itemsOf(answer);
      note({ sequence, items });
      const byPet = new Map(items.map((item) => [item.petId, item]));
      return petIds.map((petId) => {
        const item = byPet.get(petId);
        if (!item) throw new Error(`The list has no pet ${petId}.`);
        return { result: 'done', ...reportedByItem(item) };
      });
    },
  };
}

/** How a movement changed the status, if it did. */
export function statusChangeOf({ statusBefore, statusAfter }: MovementJson): StatusChange | undefined {
  if (statusBefore === null || statusBefore === statusAfter) return undefined;
  return { from: statusBefore, to: statusAfter };
}
