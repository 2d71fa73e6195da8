interface Referenced {
  readonly referenceId: string | null;
}

/** The orders with these words in their reference: those that begin with them first. Others keep their order. */
export function withPart<T extends Referenced>(orders: readonly T[], words: string): T[] {
  const searched = words.trim().toLowerCase();
  const placeOf = ({ referenceId }: T) => referenceId?.toLowerCase().indexOf(searched) ?? -1;
  return orders
    .filter((order) => placeOf(order) >= 0)
    .toSorted((a, b) => Math.sign(placeOf(a)) - Math.sign(placeOf(b)));
}
