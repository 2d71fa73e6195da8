/** What reads barcodes in pictures of the camera. */
interface BarcodeReader {
  /** @throws Error if it cannot work at all. */
  read(video: HTMLVideoElement): Promise<string | undefined>;
  close(): void;
}

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

declare global {
  /** `BarcodeDetector`: some browsers have it, and some of them without a format. */
  var BarcodeDetector: { new (): Detector; getSupportedFormats(): Promise<readonly string[]> } | undefined;
}

/** The message of the worker for each picture. */
export type ReadMessage = { readonly code: string | undefined } | 'failure';

/** The browser's own reader, or else one in a worker, which loads its code when the camera is opened. */
export async function openBarcodeReader(): Promise<BarcodeReader> {
  const Own = globalThis.BarcodeDetector;
  const formats = (await Own?.getSupportedFormats().catch(() => [])) ?? [];
  if (!Own || !formats.includes('ean_13')) return openWorker();
  const detector = new Own();
  return {
    // A picture that cannot be read, such as the first one of some cameras, has no code.
    read: async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue,
    close: () => {},
  };
}

/**
 * WebAssembly needs `wasm-unsafe-eval` in a policy. A worker has the policy of its own script, so that no page of the
 * dashboard needs it.
 */
function openWorker(): BarcodeReader {
  const worker = new Worker(new URL('./barcode-worker.ts', import.meta.url), { type: 'module' });
  return {
    read: async (video) => {
      const picture = await createImageBitmap(video);
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<ReadMessage>) =>
          data === 'failure' ? reject(new Error('The barcode reader failed.')) : resolve(data.code);
        worker.onerror = () => reject(new Error('The barcode reader did not load.'));
        worker.postMessage(picture, [picture]);
      });
    },
    close: () => worker.terminate(),
  };
}
