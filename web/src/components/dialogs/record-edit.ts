/**
 * What a person changed in a record that has no entity tag, and what somebody else has changed in the same members since
 * the person saw it.
 * @param now The record, read directly before the change is sent.
 */
export function recordEdit<T extends object>(
  seen: T,
  wanted: T,
  now: T,
): { readonly changes: Partial<T>; readonly overwritten: readonly (keyof T)[] } {
  const isSame = (a: T, b: T, member: keyof T) => JSON.stringify(a[member]) === JSON.stringify(b[member]);
  const changed = (Object.keys(wanted) as (keyof T)[]).filter((member) => !isSame(seen, wanted, member));
  return {
    changes: Object.fromEntries(changed.map((member) => [member, wanted[member]])) as Partial<T>,
    overwritten: changed.filter((member) => !isSame(now, seen, member) && !isSame(now, wanted, member)),
  };
}
