import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The whole client as one minified module. */
export async function bundleClient(): Promise<string> {
  const bundle = await rolldown({ input: fileURLToPath(new URL('../src/index.ts', import.meta.url)) });
  try {
    const { output } = await bundle.generate({ minify: true, format: 'esm' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
