import { useEffect, useRef, useState } from 'react';
import type { ImportMode } from '../../../api/schemas.ts';
import { sendImport, useMaxBytes, useNoteImport } from '../imports-api.ts';
import type { ChosenFile } from './file-head.ts';
import { fileToSend } from './mapped-file.ts';
import type { Mapping } from './pet-fields.ts';
import { TooLargeFile, useProblemText } from './problem-text.ts';

/** What the person chose for a file. */
interface Choice {
  readonly mapping: Mapping;
  readonly mode: ImportMode;
}

interface Progress {
  readonly step: 'mapping' | 'sending';
  /** From 0 to 1. */
  readonly share: number;
}

/** Maps and sends a file. It stops when the page is left. */
export function useUpload(onDone: (importId: string) => void) {
  const [progress, setProgress] = useState<Progress>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const note = useNoteImport();
  const maxBytes = useMaxBytes();
  const problemText = useProblemText();
  useEffect(() => () => running.current?.abort(), []);

  const run = async (chosen: ChosenFile, { mapping, mode }: Choice, signal: AbortSignal) => {
    const { file, format } = chosen;
    const report = (step: Progress['step'], bytes: number, all: number) =>
      setProgress({ step, share: all === 0 ? 1 : Math.min(bytes / all, 1) });
    report('mapping', 0, file.size);
    const body = await fileToSend(chosen, mapping, (bytes) => report('mapping', bytes, file.size), signal);
    // The service would close the connection in the middle of the file.
    if (maxBytes !== undefined && body.size > maxBytes) throw new TooLargeFile(maxBytes);
    report('sending', 0, body.size);
    const sent = await sendImport(
      { body, format, mode, name: file.name },
      (bytes) => report('sending', bytes, body.size),
      signal,
    );
    note(sent);
    onDone(sent.id);
  };
  const send = (chosen: ChosenFile, choice: Choice) => {
    const controller = new AbortController();
    running.current = controller;
    setProblem(undefined);
    run(chosen, choice, controller.signal).catch((error: unknown) => {
      setProgress(undefined);
      if (controller.signal.aborted) return;
      setProblem(problemText(error));
    });
  };
  return { send, cancel: () => running.current?.abort(), progress, problem };
}
