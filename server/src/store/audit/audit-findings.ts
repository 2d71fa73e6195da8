import { FAULT_KINDS, type FaultKind } from '@petstore-inventory/shared/words';
import type { Finding } from '../../domain/ledger-store.ts';

/** A damaged database can have a fault in every row. The first ones of each kind are enough to act on. */
export const MAX_FAULTS_PER_KIND = 100;

/** The faults of a ledger and its stock: one sentence each, with a limit per kind. */
export class LedgerFaults {
  readonly #sentences = new Map<FaultKind, string[]>(FAULT_KINDS.map((kind) => [kind, []]));
  #firstBadSequence: number | null = null;

  /** @param sequence The movement with the fault, if there is one. */
  add(kind: FaultKind, sentence: string, sequence: number | null): void {
    const sentences = this.#sentences.get(kind) ?? [];
    if (sentences.length <= MAX_FAULTS_PER_KIND) sentences.push(sentence);
    if (sequence === null) return;
    if (this.#firstBadSequence === null || sequence < this.#firstBadSequence)
      this.#firstBadSequence = sequence;
  }

  get isEmpty(): boolean {
    return [...this.#sentences.values()].every((sentences) => sentences.length === 0);
  }

  get firstBadSequence(): number | null {
    return this.#firstBadSequence;
  }

  get sentences(): string[] {
    return [...this.#sentences.values()].flatMap(cappedFaults);
  }

  get findings(): readonly Finding[] {
    return findingsOf([...this.#sentences].map(([kind, sentences]) => [kind, sentences.length]));
  }
}

/**
 * Limits a statement that finds faults as sentences. It returns one more than are reported, where there are as many.
 */
export function faultStatement(sql: string): string {
  return `${sql} LIMIT ${MAX_FAULTS_PER_KIND + 1}`;
}

/** The reported sentences of one kind. */
export function cappedFaults(faults: readonly string[]): string[] {
  if (faults.length <= MAX_FAULTS_PER_KIND) return [...faults];
  return [...faults.slice(0, MAX_FAULTS_PER_KIND), '… and more faults of this sort.'];
}

/** The kinds of faults that were found, each once, in the order of the report. */
export function findingsOf(found: readonly (readonly [FaultKind, number])[]): readonly Finding[] {
  const countOf = (code: FaultKind) =>
    found.reduce((sum, [kind, count]) => sum + (kind === code ? count : 0), 0);
  return FAULT_KINDS.map((code) => ({ code, count: countOf(code) })).filter(({ count }) => count > 0);
}
