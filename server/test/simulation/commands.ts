import { ORDER_STEPS, PET_STATUSES } from '@petstore-inventory/shared/words';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import type { Change } from '../../src/domain/ledger/stock.ts';
import type { OrderStepCommand, PlaceOrderCommand, StepLine } from '../../src/domain/orders/orders.ts';
import type { WriteCommand } from '../../src/domain/write-command.ts';
import type { SeededRandom } from '../support/limit-clients.ts';
import { PETS } from './database.ts';
import type { Truth } from './truth.ts';

const PET_IDS = [...PETS.keys()];
const NO_PET = 8n;
const NEWEST = 8;

/** Returns a command of any kind; most of them are possible now. */
export function randomCommand(random: SeededRandom, truth: Truth, nowMs: number): WriteCommand {
  const dice = random.next();
  if (dice < 0.3) return { kind: 'change', change: randomChange(random) };
  if (dice < 0.55) return randomOrder(random, nowMs);
  if (dice < 0.9 && truth.model.orders.length > 0) return randomStep(random, truth);
  if (dice < 0.95)
    return {
      kind: 'revert',
      sequence: recent(random, truth.sequence, PETS.size + 1),
      explanation: UNEXPLAINED,
    };
  const changes = Array.from({ length: random.integer(1, 3) }, () => randomChange(random));
  const errorPolicy = random.pick(['reject_everything', 'reject_failed_rows'] as const);
  return { kind: 'batch', changes, errorPolicy, isDryRun: random.chance(0.2) };
}

function randomChange(random: SeededRandom): Change {
  const petId = random.chance(0.03) ? NO_PET : random.pick(PET_IDS);
  const explanation = UNEXPLAINED;
  const dice = random.next();
  if (dice < 0.35) return { kind: 'set', petId, quantity: random.integer(0, 40), explanation };
  if (dice < 0.9) {
    return {
      kind: 'adjust',
      petId,
      delta: random.integer(-4, 8),
      takesReserved: random.chance(0.2),
      explanation,
    };
  }
  return { kind: 'status', petId, status: random.pick(PET_STATUSES) };
}

function randomOrder(random: SeededRandom, nowMs: number): PlaceOrderCommand {
  const count = random.integer(1, 3);
  const from = random.integer(0, PET_IDS.length - 1);
  const lines = Array.from({ length: count }, (_, i) => {
    return { petId: PET_IDS[(from + i) % PET_IDS.length] as bigint, quantity: random.integer(1, 3) };
  });
  const expiresAtMs = random.pick([undefined, undefined, null, nowMs + 2_000, nowMs + 20_000]);
  return { kind: 'place', lines, expiresAtMs, explanation: UNEXPLAINED };
}

function randomStep(random: SeededRandom, { model }: Truth): OrderStepCommand {
  const orderId = recent(random, model.orders.length);
  const step = random.pick([...ORDER_STEPS, 'approve', 'deliver'] as const);
  const isPartial = step === 'deliver' || step === 'return';
  const lines: StepLine[] | undefined =
    isPartial && random.chance(0.3)
      ? [{ petId: random.pick(PET_IDS), quantity: random.integer(1, 2) }]
      : undefined;
  const isForced = step === 'expire' && random.chance(0.3);
  return { kind: 'step', step, orderId, lines, isForced, explanation: UNEXPLAINED };
}

/** One of the newest, or sometimes the next one. */
function recent(random: SeededRandom, newest: number, oldest = 1): number {
  return Math.max(oldest, newest + 1 - random.integer(0, NEWEST));
}
