import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What `readyCopy` adds to the name of a database: the suffix of the kept one, and a process. */
const READY_COPY = /^(\.replaced-[^.]+(?:\.\d+Z)?)\.restore-\d+$/;

/** The name of a verified copy from just before the database is moved out of its place until the copy is in it. */
export function readyCopy(kept: string): string {
  return `${kept}.restore-${process.pid}`;
}

/** Where the database is that a restore moved out of its place, if the restore ended before its copy was in it. */
export function interruptedRestore(target: string): string | undefined {
  const folder = dirname(target);
  if (existsSync(target) || !existsSync(folder)) return undefined;
  const own = basename(target);
  return readdirSync(folder)
    .filter((name) => name.startsWith(own))
    .flatMap((name) => READY_COPY.exec(name.slice(own.length))?.[1] ?? [])
    .map((suffix) => join(folder, `${own}${suffix}`))
    .find((kept) => existsSync(kept));
}

/** What to do about it, as sentences. */
export function interruptedAdvice(target: string, kept: string): string {
  return `A restore of ${target} was interrupted. Nothing is lost: the database that was there is ${kept}. Run petstore-server restore with --replace again, which first puts it back, or rename it to ${target}, with each file whose name goes on with -wal or -journal.`;
}
