import type { LedgerEnd, Movement } from '../../domain/ledger.ts';
import { Reckoning, type ReckoningRules } from '../../domain/ledger-transaction.ts';
import type { Stock } from '../../domain/stock.ts';
import { carryOut, type FoundMovement, type WriteRequest } from '../../domain/write-command.ts';
import { type SavedAnswer, SavedAnswers, type WriteOutcome } from '../idempotency/records.ts';

/** What a batch of writes needs of a database, read under the ledger's lock. */
export interface BatchGround {
  readonly end: LedgerEnd;
  /** Of every pet that a write may change. */
  readonly stock: Map<bigint, Stock>;
  /** The movements that are to be taken back, by their sequences. */
  readonly movements: ReadonlyMap<number, FoundMovement>;
  /** Of the `Idempotency-Key`s that the writes name. */
  readonly answers: Iterable<SavedAnswer>;
}

/** What came of a batch: an answer for each write, and what is to be written, all of it or nothing. */
export interface BatchOutcome {
  readonly answers: readonly WriteOutcome[];
  readonly movements: readonly Movement[];
  readonly changed: ReadonlyArray<readonly [bigint, Stock]>;
  readonly savedAnswers: readonly SavedAnswer[];
}

/** Carries out the writes of one commit, one after the other. No database decides anything of it. */
export function carryOutBatch(
  requests: readonly WriteRequest[],
  ground: BatchGround,
  rules: ReckoningRules,
): BatchOutcome {
  const reckoning = new Reckoning(rules, ground.end, ground.stock);
  const saved = new SavedAnswers(ground.answers);
  const answers = requests.map((request): WriteOutcome => {
    const { idempotency, work, author } = request;
    const known = idempotency && saved.find(idempotency, author.atMs);
    if (known) return known;
    const found = work.kind === 'revert' ? ground.movements.get(work.sequence) : undefined;
    const result = carryOut(request, reckoning, found);
    if (idempotency) saved.add(idempotency, result, author.atMs);
    return { kind: 'written', result };
  });
  const { movements } = reckoning;
  return { answers, movements, changed: [...reckoning.changed()], savedAnswers: saved.added };
}
