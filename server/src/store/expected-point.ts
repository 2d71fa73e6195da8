import { FIRST_HASH } from '../domain/ledger.ts';
import type { ChainPoint } from '../domain/ledger-store.ts';
import type { Prune } from '../domain/prunes.ts';

/** What is known of the place where a hash is expected. */
export interface ExpectedPlace {
  /** The hash of the movement there, if it is there. */
  readonly found: string | undefined;
  readonly prunes: readonly Prune[];
  readonly head: ChainPoint;
}

/**
 * Why a ledger cannot be said to contain a hash that was noted before, if it cannot. The hash is the movement's, or that
 * of a prune that was made after it. Of a movement that is gone the prunes may still prove it.
 */
export function expectedFault(
  { sequence, hash }: ChainPoint,
  { found, prunes, head }: ExpectedPlace,
): string | undefined {
  if (sequence === 0 && hash === FIRST_HASH) return undefined;
  const known = prunes.flatMap(({ start, afterSequence, previousHash, hash: own }) => [
    ...(start.sequence === sequence ? [start.hash] : []),
    ...(afterSequence === sequence ? [previousHash, own] : []),
  ]);
  if (found === hash || known.includes(hash)) return undefined;
  const subject = `The expected hash of movement ${sequence}`;
  if (sequence > head.sequence)
    return `${subject} is not there: the ledger ends at movement ${head.sequence}.`;
  const pruned = prunes.find(({ start }) => start.sequence >= sequence);
  if (found === undefined && known.length === 0 && pruned) {
    const when = new Date(pruned.recordedAtMs).toISOString();
    return `${subject} cannot be confirmed: prune ${pruned.number} deleted the movement (${when}, by ${pruned.actor}). Note the newest hash again after each prune.`;
  }
  return `${subject} is not there: the ledger has another hash, so it was rewritten up to there.`;
}
