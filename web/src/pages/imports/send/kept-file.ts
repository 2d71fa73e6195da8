import { draftFiles } from '../../../offline/kept-shop.ts';
import type { FileFacts } from './import-draft.ts';

const PATH = '/draft-file';
/** A larger file is chosen again after a reload. */
const MAX_BYTES = 20_000_000;

/** Keeps a file that a person prepares, until it is sent or discarded. */
export async function keepFile(keyId: string, file: File): Promise<void> {
  if (file.size > MAX_BYTES) return forgetFile(keyId);
  const cache = await draftFiles(keyId);
  // A full disk: the person chooses the file again.
  await cache?.put(PATH, new Response(file)).catch(() => {});
}

/** The kept file; `undefined` if the browser has another one, or none. */
export async function keptFile(keyId: string, facts: FileFacts): Promise<File | undefined> {
  const response = await (await draftFiles(keyId))?.match(PATH);
  const blob = await response?.blob();
  if (blob?.size !== facts.size) return undefined;
  return new File([blob], facts.name, { lastModified: facts.lastModified });
}

export async function forgetFile(keyId: string): Promise<void> {
  await (await draftFiles(keyId))?.delete(PATH);
}
