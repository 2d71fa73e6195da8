import { PET_STATUSES } from '@petstore-inventory/shared/words';
import type { SeededRandom } from '../support/limit-clients.ts';
import type { Action, Change, Reported } from './checker/history.ts';

/** A movement that a client made and may revert. */
export interface OwnMovement {
  readonly sequence: number;
  readonly delta: number;
}

/** Units that a client has reserved, and that it has delivered, and may use. */
export interface OwnUnits {
  readonly reserved: number;
  readonly delivered: number;
}

/** The next action of a client, based on the stock that it saw last and the movements that it made. */
export function someAction(
  random: SeededRandom,
  seen: Reported,
  movements: readonly OwnMovement[],
  units: OwnUnits,
): Action {
  if (random.chance(0.35)) return { kind: 'read' };
  if (random.chance(0.3)) return someOrderStep(random, units);
  if (random.chance(0.1))
    return {
      kind: 'batch',
      changes: [someChange(random, {}, []), someChange(random, {}, [])].filter(
        ({ kind }) => kind !== 'status',
      ),
    };
  return someChange(random, seen, movements);
}

function someOrderStep(random: SeededRandom, { reserved, delivered }: OwnUnits): Change {
  if (reserved > 0 && random.chance(0.6))
    return { kind: random.pick(['release', 'deliver']), units: random.integer(1, reserved) };
  if (delivered > 0 && random.chance(0.3)) return { kind: 'return', units: random.integer(1, delivered) };
  return { kind: 'reserve', units: random.integer(1, 4) };
}

function someChange(random: SeededRandom, seen: Reported, movements: readonly OwnMovement[]): Change {
  const { quantity, version } = seen;
  const conditions = {
    ...(quantity !== undefined && random.chance(0.15) ? { ifQuantity: quantity } : {}),
    ...(version !== undefined && random.chance(0.15) ? { ifVersion: version } : {}),
  };
  const movement = movements.length > 0 && random.chance(0.1) ? random.pick(movements) : undefined;
  if (movement) return { kind: 'revert', ...movement, ...conditions };
  if (random.chance(0.06)) return { kind: 'status', status: random.pick(PET_STATUSES), ...conditions };
  if (random.chance(0.4)) return { kind: 'set', quantity: random.integer(0, 30), ...conditions };
  const takesReserved = random.chance(0.15);
  return { kind: 'adjust', delta: random.pick([-9, -5, -2, -1, 1, 2, 3, 6]), takesReserved, ...conditions };
}
