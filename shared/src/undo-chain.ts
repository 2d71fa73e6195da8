/**
 * The ids of imports from one on, by what undoes each or what each undoes, once each: in a database that something else edited
 * they can be a ring.
 * @param next Is asked after the loop has had the import.
 */
export function* undoChain(
  first: string | null,
  next: (id: string) => string | null | undefined,
): Generator<string> {
  const passed = new Set<string>();
  for (let id: string | null | undefined = first; id != null && !passed.has(id); id = next(id)) {
    passed.add(id);
    yield id;
  }
}
