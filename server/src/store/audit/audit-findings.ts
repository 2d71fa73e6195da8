/** A damaged database can have a fault in every row; the first ones of each sort are enough to act on. */
const MOST_FAULTS_OF_A_SORT = 100;

/** What can be wrong, in the order in which it is told. */
const SORTS = [
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
export type FaultSort = (typeof SORTS)[number];

/** The faults of a ledger and of the stock that it explains, one sentence each, as many of a sort as are told. */
export class LedgerFaults {
  readonly #told = new Map<FaultSort, string[]>(SORTS.map((sort) => [sort, []]));
  #firstBadSequence: number | null = null;

  /** @param sequence The movement at which it shows, if one is to blame. */
  add(sort: FaultSort, sentence: string, sequence: number | null): void {
    const told = this.#told.get(sort) ?? [];
    if (told.length <= MOST_FAULTS_OF_A_SORT) told.push(sentence);
    if (sequence === null) return;
    if (this.#firstBadSequence === null || sequence < this.#firstBadSequence)
      this.#firstBadSequence = sequence;
  }

  get areNone(): boolean {
    return [...this.#told.values()].every((told) => told.length === 0);
  }

  get firstBadSequence(): number | null {
    return this.#firstBadSequence;
  }

  get sentences(): string[] {
    return [...this.#told.values()].flatMap(toldFaults);
  }
}

/** A statement that finds faults and writes them as sentences, cut short. It finds one more than are told, where there are as many. */
export function faultStatement(sql: string): string {
  return `${sql} LIMIT ${MOST_FAULTS_OF_A_SORT + 1}`;
}

/** The sentences of one sort, as many as are told. */
export function toldFaults(faults: readonly string[]): string[] {
  if (faults.length <= MOST_FAULTS_OF_A_SORT) return [...faults];
  return [...faults.slice(0, MOST_FAULTS_OF_A_SORT), '… and more faults of this sort.'];
}
