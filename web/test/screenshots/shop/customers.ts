import type { OrderStep } from '@petstore-inventory/shared/words';
import type { MadeKey } from '../../../../server/src/domain/actions/keys.ts';
import { UNEXPLAINED } from '../../../../server/src/domain/ledger/ledger.ts';
import type { StepLine } from '../../../../server/src/domain/orders/orders.ts';
import { DAY_MS, type Diary, HOUR_MS, MINUTE_MS, type Why } from './diary.ts';
import type { People } from './people.ts';

type Lines = readonly (readonly [petId: number, quantity: number])[];

interface Step {
  readonly step: OrderStep;
  /** After the placement. */
  readonly hours: number;
  readonly lines?: Lines;
  readonly why?: Why;
}

interface Wish {
  /** Before now. */
  readonly hoursAgo: number;
  readonly lines: Lines;
  readonly referenceId: string;
  readonly note?: string;
  readonly expiresInHours?: number;
  readonly steps?: readonly Step[];
}

const approve = (hours: number): Step => ({ step: 'approve', hours });
const deliver = (hours: number, lines?: Lines): Step => ({ step: 'deliver', hours, ...(lines && { lines }) });

/** Orders in every state; the newest ones wait for somebody. */
const WISHES: readonly Wish[] = [
  { hoursAgo: 590, lines: [[52, 2]], referenceId: 'web-1001', steps: [approve(2), deliver(26)] },
  {
    hoursAgo: 540,
    lines: [
      [31, 25],
      [35, 2],
    ],
    referenceId: 'web-1002',
    note: 'First aquarium, 120 l',
    steps: [approve(1), deliver(20)],
  },
  {
    hoursAgo: 470,
    lines: [[11, 1]],
    referenceId: 'phone-12',
    note: 'Collects on Saturday',
    steps: [approve(3), { step: 'cancel', hours: 70, why: { note: 'The landlord does not allow cats' } }],
  },
  { hoursAgo: 411, lines: [[22, 2]], referenceId: 'web-1003', steps: [approve(4), deliver(30)] },
  {
    hoursAgo: 388,
    lines: [[38, 12]],
    referenceId: 'web-1004',
    expiresInHours: 48,
    steps: [{ step: 'expire', hours: 48 }],
  },
  {
    hoursAgo: 320,
    lines: [
      [54, 2],
      [55, 2],
    ],
    referenceId: 'web-1005',
    note: 'Two pairs, one cage',
    steps: [
      approve(2),
      deliver(25),
      {
        step: 'return',
        hours: 80,
        lines: [[54, 1]],
        why: { reason: 'returned', note: 'Does not get on with the others' },
      },
    ],
  },
  { hoursAgo: 270, lines: [[44, 1]], referenceId: 'web-1006', steps: [approve(3), deliver(48)] },
  {
    hoursAgo: 220,
    lines: [
      [32, 20],
      [33, 20],
    ],
    referenceId: 'phone-13',
    steps: [approve(1), deliver(27)],
  },
  {
    hoursAgo: 170,
    lines: [[27, 2]],
    referenceId: 'web-1007',
    steps: [{ step: 'cancel', hours: 5, why: { note: 'Ordered twice' } }],
  },
  { hoursAgo: 169, lines: [[27, 2]], referenceId: 'web-1008', steps: [approve(3), deliver(44)] },
  { hoursAgo: 122, lines: [[58, 3]], referenceId: 'web-1009', steps: [approve(2), deliver(22)] },
  {
    hoursAgo: 98,
    lines: [
      [41, 2],
      [36, 6],
    ],
    referenceId: 'web-1010',
    steps: [approve(3), deliver(47)],
  },
  { hoursAgo: 74, lines: [[43, 1]], referenceId: 'phone-14', note: 'With terrarium', steps: [approve(4)] },
  {
    hoursAgo: 51,
    lines: [
      [31, 60],
      [36, 8],
      [37, 2],
    ],
    referenceId: 'phone-15',
    note: 'Aquarium for the dental practice',
    steps: [approve(2), deliver(26, [[31, 40]])],
  },
  {
    hoursAgo: 27,
    lines: [[26, 6]],
    referenceId: 'web-1011',
    note: 'An aviary of finches',
    steps: [approve(20)],
  },
  { hoursAgo: 22, lines: [[24, 2]], referenceId: 'web-1012', expiresInHours: 72 },
  { hoursAgo: 4.2, lines: [[5, 1]], referenceId: 'web-1013', note: 'Viewing on Tuesday', expiresInHours: 24 },
  {
    hoursAgo: 2.5,
    lines: [
      [39, 3],
      [32, 10],
    ],
    referenceId: 'web-1014',
    steps: [approve(1.1)],
  },
  { hoursAgo: 1.3, lines: [[52, 1]], referenceId: 'web-1015', expiresInHours: 1.3 + 0.7 },
  {
    hoursAgo: 0.3,
    lines: [
      [46, 1],
      [44, 1],
    ],
    referenceId: 'web-1016',
    expiresInHours: 48,
  },
];

export function enterOrders(diary: Diary, { website, tom, priya }: People, nowMs: number): void {
  WISHES.forEach((wish, index) => {
    const placedAtMs = nowMs - wish.hoursAgo * HOUR_MS;
    const staff = index % 3 === 0 ? priya : tom;
    const order = { id: 0 };
    diary.at(placedAtMs, async () => {
      order.id = await place(diary, wish.referenceId.startsWith('web') ? website : staff, wish);
    });
    for (const step of wish.steps ?? []) {
      const atMs = Math.min(placedAtMs + step.hours * HOUR_MS, nowMs - 5 * MINUTE_MS);
      diary.at(atMs, () => takeStep(diary, step.step === 'expire' ? undefined : staff, order.id, step));
    }
  });
  // More was promised than is left.
  const takesMore = { kind: 'adjust', petId: 24n, delta: -3, takesReserved: true } as const;
  diary.change(nowMs - 0.4 * DAY_MS, tom, takesMore, {
    reason: 'sold',
    note: 'Sold from the window',
    referenceId: 'R1-0930',
  });
}

async function place(diary: Diary, author: MadeKey, wish: Wish): Promise<number> {
  const { nowMs } = diary.shop.clock;
  for (const [petId, quantity] of wish.lines) await restockFor(diary, author, BigInt(petId), quantity);
  const result = await diary.write(
    {
      kind: 'place',
      lines: linesOf(wish.lines),
      expiresAtMs: wish.expiresInHours === undefined ? null : nowMs + wish.expiresInHours * HOUR_MS,
      explanation: { ...UNEXPLAINED, referenceId: wish.referenceId, note: wish.note ?? null },
    },
    author.principal.key.id,
  );
  if (result.kind !== 'order' || !result.order) throw new Error(`${wish.referenceId}: ${result.code}`);
  return result.order.orderId;
}

/** What the stock of the day does not allow was fetched from the other branch. */
async function restockFor(diary: Diary, { principal }: MadeKey, petId: bigint, units: number): Promise<void> {
  const { quantity, reserved } = await diary.shop.admin.pets.find(petId);
  if (quantity - reserved >= units) return;
  const explanation = { ...UNEXPLAINED, reason: 'restock', note: 'From the branch at the station' } as const;
  const change = { kind: 'adjust', petId, delta: units * 2, explanation } as const;
  await diary.write({ kind: 'change', change }, principal.key.id);
}

async function takeStep(
  diary: Diary,
  author: MadeKey | undefined,
  orderId: number,
  { step, lines, why }: Step,
): Promise<void> {
  const explanation = { ...UNEXPLAINED, ...why };
  const result = await diary.write(
    { kind: 'step', step, orderId, lines: lines && linesOf(lines), explanation },
    author?.principal.key.id ?? 'service',
  );
  if (result.code !== 'done') throw new Error(`order ${orderId}, ${step}: ${result.code}`);
}

function linesOf(lines: Lines): (StepLine & { readonly quantity: number })[] {
  return lines.map(([petId, quantity]) => ({ petId: BigInt(petId), quantity }));
}
