import { useEffect, useRef, useState } from 'react';
import { useLimits } from '../../../components/use-limits.ts';
import { sendImport, useNoteImport } from '../imports-api.ts';
import type { ChosenFile } from './file-head.ts';
import { type BadRow, type FileChoice, fileToSend } from './mapped-file.ts';
import { TooLargeFile, useProblemText } from './problem-text.ts';

interface Choice extends FileChoice {
  /** Whether rows that are wrong stay out, in place of a question. */
  readonly leavesOut: boolean;
}

/** The rows that are wrong, of which some are shown. */
export interface BadRows {
  readonly rows: readonly BadRow[];
  readonly count: number;
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
  const [bad, setBad] = useState<BadRows>();
  const running = useRef<AbortController>(undefined);
  const note = useNoteImport();
  const maxBytes = useLimits()?.maxImportBytes;
  const problemText = useProblemText();
  useEffect(() => () => running.current?.abort(), []);

  const run = async (chosen: ChosenFile, choice: Choice, signal: AbortSignal) => {
    const { file, answer } = chosen;
    const { mode, leavesOut } = choice;
    const report = (step: Progress['step'], bytes: number, all: number) =>
      setProgress({ step, share: all === 0 ? 1 : Math.min(bytes / all, 1) });
    report('mapping', 0, file.size);
    const onRead = (bytes: number) => report('mapping', bytes, file.size);
    const { decimal, ...mapped } = await fileToSend(chosen, choice, onRead, signal);
    const { body, format, bad: rows, badCount: count } = mapped;
    if (count > 0 && !leavesOut) {
      setProgress(undefined);
      setBad({ rows, count });
      return;
    }
    // The service would close the connection in the middle of the file.
    if (maxBytes !== undefined && body.size > maxBytes) throw new TooLargeFile(maxBytes);
    report('sending', 0, body.size);
    const sent = await sendImport(
      {
        body,
        format,
        mode,
        decimal,
        sheet: format === 'xlsx' ? answer.sheet : undefined,
        name: file.name,
        mapping: choice.remembered?.name,
      },
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
    setBad(undefined);
    run(chosen, choice, controller.signal).catch((error: unknown) => {
      setProgress(undefined);
      if (controller.signal.aborted) return;
      setProblem(problemText(error));
    });
  };
  return {
    send,
    cancel: () => running.current?.abort(),
    progress,
    problem,
    bad,
    forget: () => setBad(undefined),
  };
}
