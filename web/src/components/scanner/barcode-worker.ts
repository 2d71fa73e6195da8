import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { ReadMessage } from './barcode-reader.ts';

// Without it the package loads the file from another host.
prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });
const detector = new BarcodeDetector();

addEventListener('message', ({ data: picture }: MessageEvent<ImageBitmap>) => {
  const respond = (message: ReadMessage) => postMessage(message);
  detector
    .detect(picture)
    .then(
      ([found]) => respond({ code: found?.rawValue }),
      () => respond('failure'),
    )
    .finally(() => picture.close());
});
