import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { temporaryFolder } from '../../../../server/test/support/command-line.ts';

const CLIENT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Bundle {
  /** The program, with its chunks beside it. */
  readonly file: string;
  /** The text of all files. */
  readonly text: string;
}

/** Builds the command line as a release does, into a folder that goes away with the test. */
export async function bundleOf(t: Pick<TestContext, 'after'>): Promise<Bundle> {
  const { default: config } = (await import(pathToFileURL(join(CLIENT, 'rolldown.config.js')).href)) as {
    default: { readonly output: object };
  };
  const dir = temporaryFolder(t);
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  const { output } = await build({
    ...config,
    cwd: CLIENT,
    logLevel: 'silent',
    output: { ...config.output, dir },
  });
  const text = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  return { file: join(dir, 'petstore.js'), text };
}
