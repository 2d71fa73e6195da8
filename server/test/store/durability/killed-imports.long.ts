import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { makeAdminKey } from '../../blackbox/operator.ts';
import type { Service } from '../../blackbox/service.ts';
import { killRounds, ROUNDS, sendUntilCut } from './kill-rounds.ts';

const PATH = '/admin/v1/imports';
const ROWS = 3_000;
/** A killed process holds the lease of an import for up to a minute. */
const FINISHED_TIMEOUT_MS = 150_000;
const UNFINISHED = new Set(['checking', 'applying']);

interface ImportJson {
  readonly id: string;
  readonly state: string;
}

/** Uploads files of new pets, and applies them. */
class Importer {
  key = '';
  sent = 0;
  /** The number of the file of each acknowledged upload. */
  readonly uploaded = new Map<string, number>();
  readonly applied = new Set<string>();

  async importUntilCut(service: Service): Promise<void> {
    for (;;) {
      const unfinished = await this.#finishPlanned(service);
      if (unfinished === undefined) return;
      if (unfinished >= 4) {
        await delay(100);
        continue;
      }
      this.sent += 1;
      const number = this.sent;
      const file = Array.from({ length: ROWS }, (_, i) => `${number * 10_000 + i},1,Pet ${i}\n`).join('');
      const found = await this.#send(service, 'POST', '', `petId,quantity,name\n${file}`);
      if (found === undefined) return;
      this.uploaded.set((found as ImportJson).id, number);
    }
  }

  /** Applies what is planned. @returns How many imports are not finished; `undefined` after a kill. */
  async #finishPlanned(service: Service): Promise<number | undefined> {
    let unfinished = 0;
    for (const id of this.uploaded.keys()) {
      if (this.applied.has(id)) continue;
      const found = await this.#send(service, 'GET', `/${id}`);
      if (found === undefined) return undefined;
      const { state } = found as ImportJson;
      assert.notEqual(state, 'failed');
      if (state === 'applied') this.applied.add(id);
      else unfinished += 1;
      if (state === 'planned' && (await this.#send(service, 'POST', `/${id}/apply`)) === undefined) {
        return undefined;
      }
    }
    return unfinished;
  }

  async #send(service: Service, method: string, path: string, body?: string): Promise<unknown> {
    const file = body === undefined ? {} : { body, headers: { 'Content-Type': 'text/csv' } };
    const response = await sendUntilCut(service, { method, path: PATH + path, key: this.key, ...file });
    if (!response) return undefined;
    assert.ok(response.status < 300, response.body.toString());
    return JSON.parse(response.body.toString());
  }

  async states(service: Service): Promise<Map<string, string>> {
    const states = new Map<string, string>();
    for (const id of this.uploaded.keys()) {
      const found = (await this.#send(service, 'GET', `/${id}`)) as ImportJson | undefined;
      assert.ok(found, `import ${id} is lost`);
      states.set(id, found.state);
    }
    return states;
  }

  /** Each file is in the ledger as a whole and once, or not at all. */
  async check(service: Service): Promise<void> {
    const before = await this.states(service);
    const movements = movementsOfFiles(service);
    const after = await this.states(service);
    for (const [id, number] of this.uploaded) {
      const count = movements.get(number) ?? 0;
      assert.ok(count === 0 || count === ROWS, `file ${number} has ${count} movements`);
      if (before.get(id) === 'applied') assert.equal(count, ROWS, `file ${number}`);
      if (after.get(id) !== 'applied') assert.equal(count, 0, `file ${number} is ${after.get(id)}`);
      if (this.applied.has(id)) assert.equal(after.get(id), 'applied', `file ${number} is lost`);
    }
  }
}

function movementsOfFiles({ databaseDir }: Service): Map<number, number> {
  const database = new DatabaseSync(join(databaseDir, 'petstore.db'), { readOnly: true });
  try {
    const rows = database
      .prepare('SELECT pet_id / 10000 AS file, count(*) AS movements FROM movements GROUP BY 1')
      .all();
    return new Map(rows.map(({ file, movements }) => [Number(file), Number(movements)]));
  } finally {
    database.close();
  }
}

test('an import that is killed at any moment is applied exactly once, or not at all', async (t) => {
  const importer = new Importer();
  const service = await killRounds(t, {
    begin: async (serving) => {
      importer.key = await makeAdminKey(serving, 'staff');
    },
    done: () => importer.uploaded.size + importer.applied.size,
    work: (serving) => importer.importUntilCut(serving),
    check: (serving) => importer.check(serving),
  });
  const deadline = Date.now() + FINISHED_TIMEOUT_MS;
  for (;;) {
    const states = [...(await importer.states(service)).values()];
    if (!states.some((state) => UNFINISHED.has(state))) break;
    assert.ok(Date.now() < deadline, `in time: ${states}`);
    await delay(500);
  }
  await importer.check(service);
  t.diagnostic(`${importer.uploaded.size} files, ${importer.applied.size} applied`);
  assert.ok(importer.applied.size > ROUNDS / 4);
  assert.equal(await service.stop(), 0);
  assert.deepEqual((await service.cli('verify')).faults, []);
});
