import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The best quality takes 11 s for Scalar's script of 5 MB, and saves a tenth; this one takes 1 s. */
const LARGE_BYTES = 1_000_000;
const QUALITY_OF_LARGE = 9;

/** For those Brotli saves a ninth over gzip, which is not worth 0.4 MB of each package and of memory. */
const GZIP_ONLY = /\.wasm$/;
const COMPRESSIBLE = /\.(?:js|css|svg|json|wasm)$|^docs\b.*\.html$/;

/**
 * Writes `.br` and `.gz` in place of each text file, so that the service compresses nothing. It unpacks a file for the few
 * clients that accept no coding; the originals would be 5 MB of 14 on the disk of each user, and 3 MB of a download of 8.
 */
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
          // The last reader of the bundle: the size budget came before.
          delete bundle[fileName];
          if (GZIP_ONLY.test(fileName)) continue;
          const params = {
            [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
            ...(content.length > LARGE_BYTES && { [constants.BROTLI_PARAM_QUALITY]: QUALITY_OF_LARGE }),
          };
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
