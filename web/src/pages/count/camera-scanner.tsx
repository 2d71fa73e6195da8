import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './finder.module.css';

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

declare global {
  /** `BarcodeDetector`: some browsers have it, and only on pages with TLS. */
  var BarcodeDetector: (new () => Detector) | undefined;
}

const DETECT_EVERY_MS = 150;

export const hasCameraScanner = (): boolean =>
  globalThis.BarcodeDetector !== undefined && 'mediaDevices' in navigator;

/** Shows what the camera sees, until it sees a barcode. */
export function CameraScanner({ onCode, onClose }: { onCode: (code: string) => void; onClose: () => void }) {
  const { camera } = useTexts().count;
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isDenied, setDenied] = useState(false);
  const found = useRef(onCode);
  useEffect(() => {
    found.current = onCode;
  });
  useEffect(() => {
    if (!video) return;
    const stop = new AbortController();
    scan(video, stop.signal)
      .then((code) => code !== undefined && found.current(code))
      .catch(() => !stop.signal.aborted && setDenied(true));
    return () => stop.abort();
  }, [video]);
  return (
    <Dialog onClose={onClose} title={camera.title} size="md">
      {isDenied ? (
        <p role="alert" className={styles.none}>
          {camera.denied}
        </p>
      ) : (
        <>
          <video ref={setVideo} className={styles.video} muted playsInline aria-label={camera.title} />
          <p className={styles.none}>{camera.hint}</p>
        </>
      )}
    </Dialog>
  );
}

/** The first barcode that the camera sees; `undefined` after a stop. @throws DOMException */
async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    await video.play();
    const detector = new (globalThis.BarcodeDetector as new () => Detector)();
    while (!signal.aborted) {
      const [code] = await detector.detect(video).catch(() => []);
      if (code) return code.rawValue.trim();
      await new Promise((resolve) => setTimeout(resolve, DETECT_EVERY_MS));
    }
    return undefined;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
