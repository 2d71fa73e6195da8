/** An object without its `undefined` members, which exact optional properties do not accept. */
export function onlySet<T extends object>(members: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
