import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { temporaryFolder } from '../../../support/command-line.ts';

const CLIENT = fileURLToPath(new URL('../../../../../client', import.meta.url));

export interface Bundle {
  readonly file: string;
  readonly text: string;
}

/** Builds the command line as a release does, into a folder that goes away with the test. */
export async function bundleOf(t: Pick<TestContext, 'after'>): Promise<Bundle> {
  const { default: config } = (await import(pathToFileURL(join(CLIENT, 'rolldown.config.js')).href)) as {
    default: { readonly output: object };
  };
  const file = join(temporaryFolder(t), 'petstore.mjs');
  await build({ ...config, cwd: CLIENT, logLevel: 'silent', output: { ...config.output, file } });
  return { file, text: readFileSync(file, 'utf8') };
}
