/** A damaged database can have a fault in every row; the first ones of each sort are enough to act on. */
const MAX_FAULTS_PER_KIND = 100;

/** What can be wrong, in the order in which it is told. */
const FAULT_KINDS = [
  'damage',
  'gap',
  'start',
  'prune',
  'retained',
  'expected',
  'time',
  'hash',
  'history',
  'revert',
  'balance',
  'unexplained',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** The faults of a ledger and of the stock that it explains, one sentence each, as many of a sort as are told. */
export class LedgerFaults {
  readonly #sentences = new Map<FaultKind, string[]>(FAULT_KINDS.map((kind) => [kind, []]));
  #firstBadSequence: number | null = null;

  /** @param sequence The movement at which it shows, if one is to blame. */
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
}

/** A statement that finds faults and writes them as sentences, cut short. It finds one more than are told, where there are as many. */
export function faultStatement(sql: string): string {
  return `${sql} LIMIT ${MAX_FAULTS_PER_KIND + 1}`;
}

/** The sentences of one sort, as many as are told. */
export function cappedFaults(faults: readonly string[]): string[] {
  if (faults.length <= MAX_FAULTS_PER_KIND) return [...faults];
  return [...faults.slice(0, MAX_FAULTS_PER_KIND), '… and more faults of this sort.'];
}
