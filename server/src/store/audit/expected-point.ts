import { FIRST_HASH } from '../../domain/ledger/ledger.ts';
import type { Prune } from '../../domain/ledger/prunes.ts';
import type { ChainPoint } from '../../domain/ledger-store.ts';
import { timestamp } from '../../domain/timestamps.ts';

/** What an audit found at the sequences where hashes are expected. */
interface ExpectedPlaces {
  /** The hashes of the movements at those sequences. */
  readonly foundHashes: ReadonlyMap<number, string>;
  readonly prunes: readonly Prune[];
  readonly head: ChainPoint;
}

/**
 * The faults of a ledger that expected hashes do not confirm. An expected hash is the movement's, or that of a prune
 * made after it. A prune that is newer than all of them confirms nothing, and neither does anything that only it
 * contains: write access to the database is enough to rewrite the past and to add a prune that matches.
 */
export function expectedFaults(expected: readonly ChainPoint[], ledger: ExpectedPlaces): string[] {
  if (expected.length === 0) return [];
  const confirmed = confirmedCount(expected, ledger);
  return [
    ...expected.flatMap((point) => pointFault(point, ledger, confirmed) ?? []),
    ...unexpectedPrunes(expected, ledger.prunes).map(unexpectedFault),
  ];
}

/** How many prunes, from the first on, are covered by an expected hash that the audit recomputed. */
function confirmedCount(expected: readonly ChainPoint[], { foundHashes, prunes }: ExpectedPlaces): number {
  const start = prunes.at(-1)?.start.sequence ?? 0;
  const counts = expected.map((point) => {
    const own = prunes.findIndex((prune) => isHashOf(prune, point));
    if (own >= 0) return own + 1;
    // Up to the retention start, only the newest prune has the correct hashes.
    const isRecomputed = point.sequence > start && foundHashes.get(point.sequence) === point.hash;
    return isRecomputed ? countBefore(prunes, point.sequence) : 0;
  });
  return Math.max(...counts);
}

/**
 * The prunes after the newest expected movement whose own hash is not expected. Without such a movement, the oldest
 * expected prune is where to begin: its hash confirms what was before it.
 */
function unexpectedPrunes(expected: readonly ChainPoint[], prunes: readonly Prune[]): readonly Prune[] {
  const isExpected = prunes.map((prune) => expected.some((point) => isHashOf(prune, point)));
  const others = expected.filter((point) => !prunes.some((prune) => isHashOf(prune, point)));
  const begin =
    others.length > 0
      ? Math.max(...others.map(({ sequence }) => countBefore(prunes, sequence)))
      : isExpected.indexOf(true);
  return prunes.filter((_, i) => i >= begin && !isExpected[i]);
}

function isHashOf({ afterSequence, hash }: Prune, point: ChainPoint): boolean {
  return afterSequence === point.sequence && hash === point.hash;
}

function countBefore(prunes: readonly Prune[], sequence: number): number {
  return prunes.filter(({ afterSequence }) => afterSequence < sequence).length;
}

function unexpectedFault({ number, start, actor, recordedAtMs }: Prune): string {
  const when = timestamp(recordedAtMs);
  return `Prune ${number} (${when}, by ${actor}) was recorded after the expected hash. What is up to movement ${start.sequence}, and the stock that it explains, depend on this prune alone. If you ran it, pass the hash that it printed as another --expect. If you did not, the ledger was rewritten.`;
}

function pointFault(
  { sequence, hash }: ChainPoint,
  { foundHashes, prunes, head }: ExpectedPlaces,
  confirmed: number,
): string | undefined {
  if (sequence === 0 && hash === FIRST_HASH) return undefined;
  const found = foundHashes.get(sequence);
  const known = prunes.map((prune) => hashesIn(prune, sequence));
  const start = prunes.at(-1)?.start.sequence ?? 0;
  if (found === hash && (sequence > start || confirmed === prunes.length)) return undefined;
  if (known.slice(0, confirmed).flat().includes(hash)) return undefined;
  const subject = `The expected hash of movement ${sequence}`;
  if (found === hash || known.flat().includes(hash)) {
    return `${subject} cannot be confirmed: it depends on a prune that no expected hash covers.`;
  }
  if (sequence > head.sequence)
    return `${subject} is not there: the ledger ends at movement ${head.sequence}.`;
  const pruned = prunes.find((prune) => prune.start.sequence >= sequence);
  if (found === undefined && known.flat().length === 0 && pruned) {
    const when = timestamp(pruned.recordedAtMs);
    return `${subject} cannot be confirmed: prune ${pruned.number} deleted the movement (${when}, by ${pruned.actor}). Note the newest hash again after each prune.`;
  }
  return `${subject} is not there: the ledger has another hash, so it was rewritten up to there.`;
}

/** The hashes that a prune records for a sequence. */
function hashesIn({ start, afterSequence, previousHash, hash }: Prune, sequence: number): string[] {
  return [
    ...(start.sequence === sequence ? [start.hash] : []),
    ...(afterSequence === sequence ? [previousHash, hash] : []),
  ];
}
