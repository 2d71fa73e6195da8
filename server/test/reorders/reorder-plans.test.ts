import { test } from 'node:test';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { candidates, LISTED } from '../../src/store/reorders/reorder-sql.ts';
import { checkOf, PORTION, type Read } from '../pets/bounded-reads.ts';
import { newAdminStore } from '../support/command-line.ts';

/** PostgreSQL reads small tables whole, because it is faster. */
const PETS = 60_000;
/** One in so many pets has an alert level, and of as many units are ordered. All have a supplier. */
const SHARE = 100;
const ENTRIES = {
  listed: [
    'SEARCH inventory USING INDEX inventory_alerts (pet_id>?)',
    'SEARCH reorders USING INDEX reorders_ordered (pet_id>?)',
  ],
  candidates: [
    'SEARCH inventory USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH pets USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH reorders USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
  ],
};

test('the reorder list looks at no pet that cannot be in it, with statistics and without', async (t) => {
  const { database } = await newAdminStore(t);
  const ids = `WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${PETS}) SELECT id`;
  await database.run(`INSERT INTO pets (pet_id, category) ${ids}, 'Dogs' FROM ids`);
  await database.run(`INSERT INTO inventory
(pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level, created_at)
${ids}, 5, 'available', 1, 1, 1, 0, CASE id % ${SHARE} WHEN 0 THEN 'low' END, 1 FROM ids`);
  await database.run(`INSERT INTO reorders (pet_id, supplier, ordered, after_sequence, ordered_by, ordered_at)
${ids}, 'Zoo', CASE id % ${SHARE} WHEN 1 THEN 5 END, 1, 'cli', 1 FROM ids`);
  const engine = await openAdminEngine(database.url);
  const sql = candidates(engine.dialect.jsonElements);
  await engine.close();
  const named = JSON.stringify(Array.from({ length: PORTION / 2 }, (_, i) => [String((i + 1) * SHARE)]));
  const reads: Readonly<Record<string, Read>> = {
    listed: [LISTED, [1, PORTION, 1, 1], ENTRIES.listed],
    candidates: [sql, [named, 0, 1, 0, 3, -1, 1e300, 'Dogs', 'Zoo'], ENTRIES.candidates],
  };
  const check = checkOf(database);
  for (const statistics of ['', 'ANALYZE']) {
    await database.run(statistics);
    for (const [name, read] of Object.entries(reads)) await check(read, `${name} ${statistics}`);
  }
});
