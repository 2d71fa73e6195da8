import { OperatorError } from '../../domain/errors.ts';

/** Pets that a refusal names; others are only counted. */
const NAMED = 20;

/** Changes around 2^53 can leave no order in which each has room. */
const NO_ORDER = ', but no order of the changes keeps a quantity within its limits';

/** Pets whose stock would go out of its limits when a stock-take ends. One refusal names them all. */
export class Obstacles {
  readonly #maxQuantity: number;
  readonly #values: string[] = [];
  readonly #texts: string[] = [];
  #count = 0;
  #hasTooFew = false;

  constructor(maxQuantity: number) {
    this.#maxQuantity = maxQuantity;
  }

  /** @param changes What the end would add to the stock of the pet. Their sum is exact, also above the largest quantity. */
  add(petId: bigint, quantity: number, changes: readonly number[]): void {
    const result = changes.reduce((units, change) => units + BigInt(change), BigInt(quantity));
    const isTooFew = result < 0n;
    this.#count += 1;
    if (isTooFew) this.#hasTooFew = true;
    if (this.#count > NAMED) return;
    const limit = isTooFew ? '' : result > this.#maxQuantity ? `, more than ${this.#maxQuantity}` : NO_ORDER;
    this.#values.push(`${petId};quantity=${quantity};result=${result}`);
    const has = `${quantity} ${quantity === 1 ? 'unit' : 'units'}`;
    this.#texts.push(`pet ${petId} has ${has} and would have ${result}${limit}`);
  }

  /** @throws OperatorError `insufficient_stock` where a pet has too few units, otherwise `conflict`, unless there are none. */
  refuse(ended: 'closed' | 'undone' | 'cancelled'): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#texts.length;
    const pets = [...this.#texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
    const [each, stock] = this.#count === 1 ? ['it', 'its stock'] : ['each of them', 'the stock of each'];
    const remedy = ended === 'closed' ? `Count ${each} again.` : `Correct ${stock} first.`;
    throw new OperatorError(`The stock-take was not ${ended}: ${pets}. ${remedy}`, {
      code: this.#hasTooFew ? 'insufficient_stock' : 'conflict',
      headers: { 'Inventory-Pets': this.#values.join(', '), 'Inventory-Pet-Count': String(this.#count) },
    });
  }
}
