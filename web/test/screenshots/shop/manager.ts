import { DAY_MS, type Diary, HOUR_MS } from './diary.ts';
import type { People } from './people.ts';

/** What the people of the shop did besides selling. */
export function enterManagement(diary: Diary, { maya, tom, priya }: People, nowMs: number): void {
  const { admin } = diary.shop;
  const by = ({ principal }: People['maya']) => ({ actor: principal.key.id, requestId: null });
  const ago = (days: number, work: () => Promise<unknown>) => diary.at(nowMs - days * DAY_MS, work);

  ago(24.2, () => admin.setDefaultThresholds({ lowStockAt: 1, restockAt: 3 }, by(maya)));
  ago(21.1, () => admin.pets.update(41n, { lowStockAt: 6, restockAt: 12 }, by(priya)));
  ago(17.3, () => admin.pets.update(26n, { category: 'Birds', lowStockAt: 10, restockAt: 25 }, by(tom)));
  ago(9.15, () => admin.pets.update(36n, { name: 'Corydoras catfish, bronze' }, by(priya)));
  ago(6.2, () =>
    admin.pets.create({ ...NEW_PET, petId: 61n, name: 'Axolotl, wild type', quantity: 6 }, by(maya)),
  );
  ago(6.19, () =>
    admin.pets.create({ ...NEW_PET, petId: 62n, name: 'Axolotl, leucistic', quantity: 4 }, by(maya)),
  );
  ago(3.3, () => admin.pets.archive(60n, by(priya)));

  // Somebody types a zero too many yesterday, and the one before is undone.
  const yesterday = nowMs - DAY_MS + 1.2 * HOUR_MS;
  diary.change(yesterday, tom, { kind: 'set', petId: 21n, quantity: 240 }, { reason: 'correction' });
}

const NEW_PET = { category: 'Amphibians', status: 'available', lowStockAt: 2, restockAt: 5 } as const;
