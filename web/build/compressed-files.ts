import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|svg|json)$/;

/** Writes `.br` and `.gz` beside each text file whose name has a hash, so that the service compresses nothing. */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!COMPRESSIBLE.test(fileName)) continue;
          const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({
            type: 'asset',
            fileName: `${fileName}.gz`,
            source: gzipSync(content, { level: 9 }),
          });
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
          this.emitFile({
            type: 'asset',
            fileName: `${fileName}.br`,
            source: brotliCompressSync(content, { params }),
          });
        }
      },
    },
  };
}
