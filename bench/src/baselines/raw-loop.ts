import { DatabaseSync } from 'node:sqlite';

const ROWS_PER_COMMIT = 32;

/** The message of the loop after one round; the parent process requests each round. */
export interface Written {
  readonly commits: number;
  readonly rows: number;
  readonly elapsedSeconds: number;
}

const [, , file = '', petCountText = ''] = process.argv;
const petCount = Number(petCountText);
const database = new DatabaseSync(file);
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE inventory (
    pet_id INTEGER PRIMARY KEY, quantity INTEGER NOT NULL, status TEXT NOT NULL,
    version INTEGER NOT NULL, last_sequence INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE movements (
    sequence INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL, kind TEXT NOT NULL,
    quantity_before INTEGER NOT NULL, quantity_after INTEGER NOT NULL, actor TEXT NOT NULL, recorded_at INTEGER NOT NULL
  ) STRICT;
`);
const insertPet = database.prepare(`INSERT INTO inventory VALUES (?, 0, 'available', 1, 0, 0)`);
database.exec('BEGIN');
for (let petId = 1; petId <= petCount; petId++) insertPet.run(petId);
database.exec('COMMIT');

const select = database.prepare('SELECT quantity FROM inventory WHERE pet_id = ?');
const update = database.prepare(
  'UPDATE inventory SET quantity = ?, version = version + 1, last_sequence = ?, updated_at = ? WHERE pet_id = ?',
);
const record = database.prepare(`INSERT INTO movements VALUES (?, ?, 'set', ?, ?, 'bench', ?)`);
let sequence = 0;

function commitOnce(): void {
  database.exec('BEGIN IMMEDIATE');
  for (let index = 0; index < ROWS_PER_COMMIT; index++) {
    sequence += 1;
    const petId = 1 + (sequence % petCount);
    const quantity = 100_000 + (sequence % 8_192);
    const before = Number(select.get(petId)?.quantity);
    const nowMs = Date.now();
    update.run(quantity, sequence, nowMs, petId);
    record.run(sequence, petId, before, quantity, nowMs);
  }
  database.exec('COMMIT');
}

process.on('message', (seconds: number) => {
  const startedAtMs = performance.now();
  let commits = 0;
  while (performance.now() - startedAtMs < seconds * 1000) {
    commitOnce();
    commits += 1;
  }
  const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
  process.send?.({ commits, rows: commits * ROWS_PER_COMMIT, elapsedSeconds } satisfies Written);
});
process.on('disconnect', () => process.exit(0));
