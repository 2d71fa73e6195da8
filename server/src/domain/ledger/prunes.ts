import { hash as digest } from 'node:crypto';
import type { ChainHead } from './ledger.ts';

/**
 * The record of a prune: a link of the ledger's hash chain, between two movements. Up to the retention start, only
 * movements that are the newest of their pet are retained. Nothing is deleted before its record is durable.
 */
export interface Prune {
  /** 1 for the first prune, and one more for each. */
  readonly number: number;
  /** The newest movement when the prune was made: the place of the record in the chain. */
  readonly afterSequence: number;
  /** The retention start, with the hash of that movement. */
  readonly start: ChainHead;
  /** The prune determined each pet's newest movement up to this one. */
  readonly decidedSequence: number;
  /** How many movements up to the retention start are retained. */
  readonly retained: number;
  /** `retainedDigest` over them. */
  readonly retainedDigest: string;
  /** How many movements it deletes. */
  readonly deleted: number;
  /** Who made the prune; `cli` is the operator. */
  readonly actor: string;
  readonly recordedAtMs: number;
  /** The hash of the record before it in the chain, a movement's or a prune's. */
  readonly previousHash: string;
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string;
}

/**
 * The hash of a prune: SHA-256 over a JSON array, which is published. It covers the hash of the prune before, because the
 * movements that link the two may be deleted by now. No movement's array has a text as its second element: a movement
 * never has the hash of a prune.
 */
export function pruneHash(previousPruneHash: string, prune: Omit<Prune, 'hash'>): string {
  const { start } = prune;
  const fields = [
    prune.previousHash,
    'prune',
    previousPruneHash,
    prune.number,
    prune.afterSequence,
    start.sequence,
    start.recordedAtMs,
    start.hash,
    prune.decidedSequence,
    prune.retained,
    prune.retainedDigest,
    prune.deleted,
    prune.actor,
    prune.recordedAtMs,
  ];
  return digest('sha256', JSON.stringify(fields), 'hex');
}
