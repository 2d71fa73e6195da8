import assert from 'node:assert/strict';
import type { AlertLevel, MovementKind, PetStatus, Reason } from '@petstore-inventory/shared/words';
import type { Alert } from '../../../src/domain/ledger/alerts.ts';
import { FIRST_HASH, movementHash } from '../../../src/domain/ledger/ledger.ts';
import { request } from '../../blackbox/api-request.ts';
import type { LedgerRow } from './ledger-invariants.ts';

/** A movement in the JSON of the service. */
export interface MovementJson {
  readonly sequence: number;
  readonly petId: bigint;
  readonly version: number;
  readonly kind: MovementKind;
  readonly delta: number;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly statusBefore: PetStatus | null;
  readonly statusAfter: PetStatus;
  readonly reservedBefore: number;
  readonly reservedAfter: number;
  readonly alertBefore: AlertLevel | null;
  readonly alertAfter: AlertLevel | null;
  readonly alert: Alert | null;
  readonly orderId: number | null;
  readonly reason: Reason | null;
  readonly note: string | null;
  readonly referenceDocumentUri: string | null;
  readonly referenceId: string | null;
  readonly occurredAt: string | null;
  readonly recordedAt: string;
  readonly actor: { readonly keyId: string | null; readonly name: string };
  readonly requestId: string | null;
  readonly revertedSequence: number | null;
  readonly previousSequence: number | null;
  readonly hash: string;
}

const PAGE = 1_000;

/** Parses JSON with every `petId` as an exact bigint. */
export function parsePetIds(text: string): unknown {
  return JSON.parse(text, (name, value: unknown, context?: { source?: string }) =>
    name === 'petId' ? BigInt(context?.source ?? '') : value,
  );
}

export function parseMovement(text: string): MovementJson {
  return parsePetIds(text) as MovementJson;
}

/** Reads the whole ledger through the service, page by page. */
export async function readLedger(service: { port: number; key: string }): Promise<MovementJson[]> {
  const movements: MovementJson[] = [];
  for (let path: string | undefined = `/v1/movements?after=0&limit=${PAGE}`; path !== undefined;) {
    const { status, headers, body } = await request(service, { path, key: service.key });
    assert.equal(status, 200, body.toString());
    movements.push(...(parsePetIds(body.toString()) as MovementJson[]));
    path = nextOf(headers.get('link'));
  }
  return movements;
}

/** The path of the next page, from the `Link` header (RFC 8288). */
export function nextOf(link: string | undefined): string | undefined {
  const [, address] = /<([^>]+)>; rel="?next"?/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address, 'http://localhost');
  return pathname + search;
}

export function ledgerRowOf(movement: MovementJson): LedgerRow {
  const { sequence, previousSequence, petId, quantityBefore, quantityAfter, delta, kind } = movement;
  const { statusBefore, statusAfter, reservedBefore, reservedAfter, referenceId, actor, requestId } =
    movement;
  return {
    ...{ sequence, previousSequence, petId, before: quantityBefore, after: quantityAfter, delta, kind },
    ...{ statusBefore, statusAfter, reservedBefore, reservedAfter },
    ...{ actor: actor.keyId ?? actor.name, requestId },
    idempotencyKey: referenceId ?? undefined,
  };
}

/** Recomputes the chain of hashes by the published formula; one sentence for each movement that breaks it. */
export function hashFaults(movements: readonly MovementJson[]): string[] {
  return movements.flatMap((movement, index) => {
    const previousHash = movements[index - 1]?.hash ?? FIRST_HASH;
    const { occurredAt, recordedAt, actor } = movement;
    const fields = {
      ...movement,
      occurredAtMs: occurredAt === null ? null : Date.parse(occurredAt),
      recordedAtMs: Date.parse(recordedAt),
      actor: actor.keyId ?? actor.name,
    };
    return movementHash(previousHash, fields) === movement.hash
      ? []
      : [`Movement ${movement.sequence} has another hash than its fields make.`];
  });
}
