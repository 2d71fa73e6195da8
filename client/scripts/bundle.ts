import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** An entry of the client with all that it imports, as one minified module. */
export async function bundleClient(entry: 'index' | 'admin' = 'index'): Promise<string> {
  const bundle = await rolldown({ input: fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url)) });
  try {
    const { output } = await bundle.generate({ minify: true, format: 'esm' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
