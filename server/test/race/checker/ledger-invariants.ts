import type { PetStatus } from '@petstore-inventory/shared/words';
import type { OrderKind } from './history.ts';

/** A row of the ledger, read from the database or from the service's own history. */
export interface LedgerRow {
  readonly sequence: number;
  /** The pet's movement before this one. */
  readonly previousSequence: number | null;
  readonly petId: bigint;
  readonly before: number;
  readonly after: number;
  readonly delta: number;
  /** Both if the ledger reports the status; `null` before the first movement of a pet. */
  readonly statusBefore?: PetStatus | null;
  readonly statusAfter?: PetStatus;
  /** Both if the ledger reports them. */
  readonly reservedBefore?: number;
  readonly reservedAfter?: number;
  readonly kind: string;
  /** The mark that the writer set, if the ledger reports it; unique among all operations of a race. */
  readonly idempotencyKey?: string | undefined;
  readonly actor: string;
  readonly requestId: string | null;
}

/** The stock of a pet in the inventory after the race. */
export interface FinalStock {
  readonly petId: bigint;
  readonly quantity: number;
  readonly reserved?: number;
  readonly version?: number;
}

/**
 * Faults of a ledger, alone and compared with the stock, one sentence each: gaps, broken chains, wrong sums, negative
 * quantities, more units reserved than were available, and a key with movements from more than one request.
 */
export function ledgerFaults(rows: readonly LedgerRow[], stocks: readonly FinalStock[]): string[] {
  const inOrder = rows.toSorted((a, b) => a.sequence - b.sequence);
  const byPet = Map.groupBy(inOrder, ({ petId }) => petId);
  return [
    ...gaps(inOrder),
    ...inOrder.flatMap(faultsOfRow),
    ...[...byPet.values()].flatMap(brokenChain),
    ...stocks.flatMap((stock) => wrongBalance(stock, byPet.get(stock.petId) ?? [])),
    ...unexplainedPets(byPet, stocks),
    ...keysAppliedTwice(inOrder),
  ];
}

function gaps(rows: readonly LedgerRow[]): string[] {
  return rows.flatMap(({ sequence }, index) => {
    const before = rows[index - 1]?.sequence ?? 0;
    return sequence === before + 1 ? [] : [`Movement ${sequence} follows movement ${before}.`];
  });
}

function faultsOfRow(row: LedgerRow): string[] {
  const { sequence, before, after, delta } = row;
  return [
    ...(before + delta === after
      ? []
      : [`Movement ${sequence}: ${before} and ${delta} do not make ${after}.`]),
    ...(before >= 0 && after >= 0 ? [] : [`Movement ${sequence} goes below zero: ${before} to ${after}.`]),
    ...faultsOfReservation(row),
  ];
}

/** How one unit of an order's step changes the quantity and the reserved units. */
const PER_UNIT: Readonly<Record<OrderKind, readonly [quantity: number, reserved: number]>> = {
  reserve: [0, 1],
  release: [0, -1],
  deliver: [-1, -1],
  return: [1, 0],
};

function faultsOfReservation({ sequence, kind, ...row }: LedgerRow): string[] {
  const { before, after, reservedBefore = 0, reservedAfter = 0 } = row;
  const [quantity, reserved] = [after - before, reservedAfter - reservedBefore];
  const perUnit = PER_UNIT[kind as OrderKind];
  const units = Math.max(Math.abs(quantity), Math.abs(reserved));
  const isRight = perUnit
    ? units > 0 && quantity === perUnit[0] * units && reserved === perUnit[1] * units
    : reserved === 0;
  return [
    ...(isRight
      ? []
      : [`Movement ${sequence}, a ${kind}, moves ${quantity} units and reserves ${reserved}.`]),
    ...(reservedAfter >= 0 ? [] : [`Movement ${sequence} leaves ${reservedAfter} units reserved.`]),
    ...(kind === 'reserve' && reservedAfter > after
      ? [`Movement ${sequence} reserves units up to ${reservedAfter}, of ${after}.`]
      : []),
  ];
}

function brokenChain(rows: readonly LedgerRow[]): string[] {
  return rows.flatMap((row, index) => {
    const { sequence, previousSequence, before, statusBefore = null, reservedBefore = 0 } = row;
    const previous = rows[index - 1];
    const stood = previous?.after ?? 0;
    const held = previous?.reservedAfter ?? 0;
    return [
      ...(previousSequence === (previous?.sequence ?? null)
        ? []
        : [
            `Movement ${sequence} names ${previousSequence} as the one before, which is ${previous?.sequence}.`,
          ]),
      ...(before === stood ? [] : [`Movement ${sequence} begins at ${before}, but the pet was at ${stood}.`]),
      ...(reservedBefore === held
        ? []
        : [`Movement ${sequence} begins with ${reservedBefore} reserved, but ${held} were.`]),
      ...(statusBefore === (previous?.statusAfter ?? null)
        ? []
        : [`Movement ${sequence} begins as ${statusBefore}, but the pet was ${previous?.statusAfter}.`]),
    ];
  });
}

function wrongBalance(
  { petId, quantity, reserved, version }: FinalStock,
  rows: readonly LedgerRow[],
): string[] {
  const sum = rows.reduce((total, { delta }) => total + delta, 0);
  const held = rows.at(-1)?.reservedAfter ?? 0;
  return [
    ...(reserved === undefined || reserved === held
      ? []
      : [`Pet ${petId} has ${reserved} units reserved, but its movements leave ${held}.`]),
    ...(sum === quantity ? [] : [`Pet ${petId} has quantity ${quantity}, but its movements make ${sum}.`]),
    ...(version === undefined || version === rows.length
      ? []
      : [`Pet ${petId} has version ${version}, but ${rows.length} movements.`]),
  ];
}

function unexplainedPets(byPet: ReadonlyMap<bigint, unknown>, stocks: readonly FinalStock[]): string[] {
  const stocked = new Set(stocks.map(({ petId }) => petId));
  return [...byPet.keys()]
    .filter((petId) => !stocked.has(petId))
    .map((petId) => `Pet ${petId} has movements, but no stock.`);
}

/** A batch makes many movements with one key, all of them in one request. */
function keysAppliedTwice(rows: readonly LedgerRow[]): string[] {
  const keyed = rows.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  return [...Map.groupBy(keyed, ({ idempotencyKey }) => idempotencyKey)].flatMap(([key, made]) => {
    const [first] = made;
    const isOnce = made.every(({ requestId }) => requestId !== null && requestId === first!.requestId);
    const sequences = made.map(({ sequence }) => sequence).join(', ');
    return made.length === 1 || isOnce
      ? []
      : [`Key ${key} was applied more than once: movements ${sequences}.`];
  });
}
