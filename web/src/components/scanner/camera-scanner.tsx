import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconBarcode } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { openBarcodeReader } from './barcode-reader.ts';
import styles from './camera-scanner.module.css';

const DETECT_EVERY_MS = 150;

/** Browsers have a camera only on pages with TLS. */
const hasCamera = (): boolean => 'mediaDevices' in navigator;

interface Props {
  readonly onCode: (code: string) => void;
  /** In pixels, as the field beside it. */
  readonly size?: number;
}

/** Opens the camera until it sees a barcode. */
export function CameraButton({ onCode, size = 44 }: Props) {
  const { camera } = useTexts().shared;
  const [isOpen, setOpen] = useState(false);
  if (!hasCamera()) return null;
  return (
    <>
      <ActionIcon variant="default" size={size} aria-label={camera.open} onClick={() => setOpen(true)}>
        <IconBarcode size={size - 16} stroke={1.5} />
      </ActionIcon>
      {isOpen && (
        <CameraScanner
          onCode={(code) => {
            setOpen(false);
            onCode(code);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Shows what the camera sees, until it sees a barcode. */
function CameraScanner({ onCode, onClose }: { onCode: (code: string) => void; onClose: () => void }) {
  const { camera } = useTexts().shared;
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [fault, setFault] = useState<'denied' | 'noReader'>();
  const found = useRef(onCode);
  useEffect(() => {
    found.current = onCode;
  });
  useEffect(() => {
    if (!video) return;
    const stop = new AbortController();
    scan(video, stop.signal)
      .then((code) => code !== undefined && found.current(code))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFault(error instanceof DOMException ? 'denied' : 'noReader');
      });
    return () => stop.abort();
  }, [video]);
  return (
    <Dialog onClose={onClose} title={camera.title} size="md">
      {fault !== undefined ? (
        <p role="alert" className={styles.text}>
          {camera[fault]}
        </p>
      ) : (
        <>
          <video ref={setVideo} className={styles.video} muted playsInline aria-label={camera.title} />
          <p className={styles.text}>{camera.hint}</p>
        </>
      )}
    </Dialog>
  );
}

/** The first barcode that the camera sees; `undefined` after a stop. @throws DOMException of the camera, or Error */
async function scan(video: HTMLVideoElement, signal: AbortSignal): Promise<string | undefined> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    if (signal.aborted) return undefined;
    video.srcObject = stream;
    await video.play();
    const reader = await openBarcodeReader();
    try {
      while (!signal.aborted) {
        const code = await reader.read(video);
        if (code !== undefined) return code.trim();
        await new Promise((resolve) => setTimeout(resolve, DETECT_EVERY_MS));
      }
      return undefined;
    } finally {
      reader.close();
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
