/**
 * The imports from one on, by what undoes each or what each undoes, once each: those of a database that something else wrote
 * can be a ring.
 * @param next Is asked after the loop has had the import.
 */
export function* undoChain(first: string | null, next: (id: string) => string | null): Generator<string> {
  const passed = new Set<string>();
  for (let id = first; id !== null && !passed.has(id); id = next(id)) {
    passed.add(id);
    yield id;
  }
}
