import { draftFiles } from '../../../offline/kept-shop.ts';
import type { FileFacts } from './import-draft.ts';

const PATH = '/draft-file';
/** The header of a kept file with what it is known by. */
const FACTS = 'Draft-File';
/** A larger file is chosen again after a reload. */
const MAX_BYTES = 20_000_000;

/** Keeps a file that a person prepares, until it is sent or discarded. */
export async function keepFile(keyId: string, file: File): Promise<void> {
  if (file.size > MAX_BYTES) return forgetFile(keyId);
  const cache = await draftFiles(keyId);
  // A full disk: the person chooses the file again.
  await cache?.put(PATH, new Response(file, { headers: { [FACTS]: textOf(file) } })).catch(() => {});
}

/** The kept file; `undefined` if the browser has another one, or none. */
export async function keptFile(keyId: string, facts: FileFacts): Promise<File | undefined> {
  const response = await (await draftFiles(keyId))?.match(PATH);
  const blob = await response?.blob();
  if (blob?.size !== facts.size) return undefined;
  // A file of the same size that another tab has kept since. One that an earlier release kept has no header.
  if ((response?.headers.get(FACTS) ?? textOf(facts)) !== textOf(facts)) return undefined;
  return new File([blob], facts.name, { lastModified: facts.lastModified });
}

/** A header has no other characters than those of ASCII. */
const textOf = ({ name, lastModified }: FileFacts): string => `${lastModified} ${encodeURIComponent(name)}`;

export async function forgetFile(keyId: string): Promise<void> {
  await (await draftFiles(keyId))?.delete(PATH);
}
