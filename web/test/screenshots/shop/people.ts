import type { PlanName, Role } from '@petstore-inventory/shared/words';
import { createId, type Scope } from '../../../../server/src/domain/access/api-key.ts';
import { PLAN_LIMITS } from '../../../../server/src/domain/access/plans.ts';
import { createKey, type MadeKey, revokeKey, rotateKey } from '../../../../server/src/domain/actions/keys.ts';
import { CLI_AUTHOR } from '../../../../server/src/domain/management/activity.ts';
import type { ClockedShop } from './clocked-admin.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './diary.ts';

/** The people and programs whose keys appear in the pictures. */
export interface People {
  readonly maya: MadeKey;
  readonly tom: MadeKey;
  readonly priya: MadeKey;
  readonly till1: MadeKey;
  readonly till2: MadeKey;
  readonly website: MadeKey;
  readonly scraper: MadeKey;
}

/** The keys of the shop's people and programs, as they were made over the first days. */
export async function hirePeople({ clock, admin, pepper }: ClockedShop): Promise<People> {
  const secrets = { environment: admin.environment, pepper };
  const manager = async (name: string, role: Role, expiresInDays?: number) => {
    const expiresAtMs = expiresInDays === undefined ? null : clock.nowMs + expiresInDays * DAY_MS;
    const fields = { accountId: null, role, name, scopes: null, expiresAtMs };
    return createKey(admin, secrets, fields, CLI_AUTHOR);
  };
  const maya = await manager('Maya Lindqvist', 'administrator');
  const author = { actor: maya.principal.key.id, requestId: null };
  const account = async (name: string, plan: Exclude<PlanName, 'enterprise'>) => {
    const id = createId('acc');
    const fields = { id, name, plan, limits: PLAN_LIMITS[plan], createdAtMs: clock.nowMs };
    await admin.accounts.create(fields, author);
    return id;
  };
  const client = (accountId: string, name: string, scopes: readonly Scope[] | null, expiresInDays?: number) =>
    createKey(
      admin,
      secrets,
      {
        accountId,
        role: null,
        name,
        scopes,
        expiresAtMs: expiresInDays === undefined ? null : clock.nowMs + expiresInDays * DAY_MS,
      },
      author,
    );

  clock.nowMs += 4 * MINUTE_MS;
  const shop = await account('Paws & Fins, High Street', 'business');
  const till1 = await client(shop, 'Till 1', ['inventory:read', 'inventory:adjust', 'orders:deliver']);
  const till2 = await client(shop, 'Till 2', ['inventory:read', 'inventory:adjust', 'orders:deliver']);
  clock.nowMs += 11 * MINUTE_MS;
  const web = await account('Web shop', 'pro');
  const oldWebsite = await client(web, 'Website', null, 90);
  clock.nowMs += 38 * MINUTE_MS;
  const tom = await manager('Tom Becker', 'staff');
  const priya = await manager('Priya Shah', 'staff', 365);
  await manager('Accounting', 'viewer');
  clock.nowMs += 3 * HOUR_MS;
  const compare = await account('PetPrices comparison', 'free');
  const scraper = await client(compare, 'Crawler', ['inventory:read'], 45);
  const vet = await account('Riverside Veterinary Practice', 'free');
  const trial = await client(vet, 'Trial', ['inventory:read'], 14);
  clock.nowMs += DAY_MS;
  await revokeKey(admin, { keyId: trial.principal.key.id, kind: 'client' }, author);
  await client(vet, 'Quarantine list', ['inventory:read'], 31);
  const website = await rotateKey(
    admin,
    secrets,
    { keyId: oldWebsite.principal.key.id, kind: 'client' },
    { overlapSeconds: 86_400, expiresAtMs: undefined },
    author,
  );
  return { maya, tom, priya, till1, till2, website, scraper };
}
