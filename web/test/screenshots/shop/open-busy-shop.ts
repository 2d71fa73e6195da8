import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readPetFile } from '../../../../server/test/support/read-pet-file.ts';
import { SeededRandom } from '../../../../server/test/support/limit-clients.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { WITH_LOCAL_RECEIVERS } from '../../support/webhook-receiver.ts';
import { countRequests } from './clients.ts';
import { newClockedShop } from './clocked-admin.ts';
import { enterOrders } from './customers.ts';
import { DAY_MS, Diary, HOUR_MS, MINUTE_MS } from './diary.ts';
import { enterManagement } from './manager.ts';
import { hirePeople, type People } from './people.ts';
import { happenNow } from './today.ts';
import { type Trade, tradeOneDay } from './trade.ts';

const SAMPLE = fileURLToPath(new URL('../../../../server/sample/pets.csv', import.meta.url));
const DAYS = 28;
/** The hour at which the pictures are taken, whatever the time is. */
const HOUR = 14;

export interface BusyShop {
  readonly shop: Shop;
  /** The zone in which it is afternoon. */
  readonly timezoneId: string;
}

/** A shop after four weeks: movements by people and programs, orders in every state, usage, a ban, imports, webhooks. */
export async function openBusyShop(t: Pick<TestContext, 'after'>): Promise<BusyShop> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-busy-shop-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const nowMs = Date.now();
  const offsetHours = HOUR - new Date(nowMs).getUTCHours();
  const people = await liveFourWeeks(folder, nowMs, offsetHours);
  const shop = await openShop(t, {
    isSample: false,
    databaseDir: folder,
    key: people.till1.secret,
    adminKey: people.maya.secret,
    env: WITH_LOCAL_RECEIVERS,
  });
  await happenNow(t, shop, people);
  return {
    shop: { ...shop, makeKey: async () => people.maya.secret },
    timezoneId: `Etc/GMT${offsetHours > 0 ? '-' : '+'}${Math.abs(offsetHours)}`,
  };
}

async function liveFourWeeks(folder: string, nowMs: number, offsetHours: number): Promise<People> {
  const midnightMs = Math.floor((nowMs + offsetHours * HOUR_MS) / DAY_MS) * DAY_MS - offsetHours * HOUR_MS;
  const firstMs = midnightMs - DAYS * DAY_MS + 7 * HOUR_MS;
  const shop = await newClockedShop(folder, firstMs);
  try {
    const people = await hirePeople(shop);
    const pets = readPetFile(SAMPLE);
    await shop.admin.importPets(pets, people.maya.principal.key.id, shop.clock.nowMs);
    const beginMs = shop.clock.nowMs + MINUTE_MS;
    const diary = new Diary(shop);
    const random = new SeededRandom(4_711);
    const receipt = { next: 2_001 };
    for (let day = DAYS - 1; day >= 0; day -= 1) {
      const trade: Trade = {
        diary,
        people,
        pets,
        random,
        receipt,
        nowMs,
        midnightMs: midnightMs - day * DAY_MS,
      };
      if (trade.midnightMs > beginMs - 12 * HOUR_MS) tradeOneDay(trade, day);
    }
    enterOrders(diary, people, nowMs);
    enterManagement(diary, people, nowMs);
    await diary.live();
    await countRequests(shop, people, { nowMs, midnightMs, random });
    return people;
  } finally {
    await shop.admin.close();
  }
}
