import type { AlertLevel } from '@petstore-inventory/shared/words';
import type { ExactJson } from '../support/exact-json.ts';

/** A movement, as far as the answers report it. */
export interface KnownMovement {
  readonly sequence: number;
  readonly petId: bigint;
  readonly kind: string;
  readonly reason: string | null;
  readonly actor: string;
  readonly delta: number;
  readonly quantityAfter: number;
  readonly statusBefore: string | null;
  readonly statusAfter: string;
  readonly reservedBefore: number;
  readonly reservedAfter: number;
  readonly alertAfter: AlertLevel | null;
  readonly alert: string | null;
  readonly orderId: number | null;
  readonly revertedSequence: number | null;
}

/** The compared fields of a movement in an answer. */
export function knownMovement(row: ExactJson): KnownMovement {
  const { petId, actor, ...fields } = row as unknown as Omit<KnownMovement, 'petId' | 'actor'> & {
    readonly petId: number | bigint;
    readonly actor: { readonly keyId: string | null; readonly name: string };
  };
  const { sequence, kind, reason, delta, quantityAfter, statusBefore, statusAfter } = fields;
  const { reservedBefore, reservedAfter, alertAfter, alert, orderId, revertedSequence } = fields;
  return {
    sequence,
    petId: BigInt(petId),
    kind,
    reason,
    actor: actor.keyId ?? actor.name,
    delta,
    quantityAfter,
    statusBefore,
    statusAfter,
    reservedBefore,
    reservedAfter,
    alertAfter,
    alert,
    orderId,
    revertedSequence,
  };
}
