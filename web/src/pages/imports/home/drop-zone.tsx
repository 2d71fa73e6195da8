import { Button } from '@mantine/core';
import { type ChangeEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useOfferedCommands } from '../../../components/commands.ts';
import { useHotkeys } from '../../../components/hotkeys/hotkey-provider.tsx';
import { IconFileImport, IconFileUpload } from '../../../icons/icons.tsx';
import { RoleButton } from '../../../session/role-button.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useMappingsReader } from '../imports-api.ts';
import { type ChosenFile, readHead } from '../send/file-head.ts';
import { useProblemText } from '../send/problem-text.ts';
import { type Answer, Question } from '../send/question.ts';
import styles from './drop-zone.module.css';

const ACCEPTED =
  '.csv,.tsv,.txt,.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,.json,.ndjson,.jsonl,text/csv,application/json,application/x-ndjson';

/** Takes a file that is dropped anywhere on the page, or chosen. */
export function DropZone({ onChoose }: { onChoose: (chosen: ChosenFile) => void }) {
  const { app, imports } = useTexts();
  const mayImport = useMay('staff');
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const problemText = useProblemText();
  const readMappings = useMappingsReader();
  const [question, setQuestion] = useState<{ readonly file: File; readonly answers: readonly Answer[] }>();
  const choose = () => input.current?.click();
  const read = useCallback(
    (file: File, answer?: Answer) => {
      setQuestion(undefined);
      const head = async () => readHead(file, answer, await readMappings());
      head().then(onChoose, (error: unknown) => {
        if (error instanceof Question) setQuestion({ file, answers: error.answers });
        setProblem(problemText(error));
      });
    },
    [onChoose, problemText, readMappings],
  );
  const take = useCallback(
    (files: FileList | null | undefined) => {
      const [file, second] = files ?? [];
      if (!file) return;
      if (second) return setProblem(imports.oneFile);
      read(file);
    },
    [read, imports.oneFile],
  );
  const isOver = useDroppedFiles(mayImport ? take : undefined);
  useHotkeys(app.pages.imports, mayImport ? [{ keys: 'n', label: imports.choose, run: choose }] : []);
  useOfferedCommands(mayImport ? [{ label: imports.import, keys: 'n', run: choose }] : []);
  const onInput = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    take(currentTarget.files);
    // The same file again is a change too.
    currentTarget.value = '';
  };
  return (
    <section className={styles.zone} data-over={isOver || undefined} aria-labelledby="import-title">
      <span className={styles.icon}>
        <IconFileImport size={24} stroke={1.5} aria-hidden />
      </span>
      <h2 id="import-title" className={styles.title}>
        {isOver ? imports.drop : imports.dropHere}
      </h2>
      <p className={styles.hint}>{imports.dropHint}</p>
      <RoleButton needs="staff" leftSection={<IconFileUpload size={16} stroke={1.75} />} onClick={choose}>
        {imports.choose}
      </RoleButton>
      <input ref={input} type="file" accept={ACCEPTED} hidden onChange={onInput} />
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {question && (
        <div className={styles.answers}>
          {question.answers.map((answer) => {
            const label = answer.sheet ?? imports.encodings[answer.encoding ?? 'utf-8'];
            return (
              <Button key={label} variant="default" onClick={() => read(question.file, answer)}>
                {label}
              </Button>
            );
          })}
        </div>
      )}
    </section>
  );
}

/** Calls `take` with files that are dropped on the window. Returns whether files are dragged over it. */
function useDroppedFiles(take: ((files: FileList | undefined) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!take) return;
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Otherwise the browser would open the file in place of the page.
      event.preventDefault();
      setOver(event.type === 'dragover');
      if (event.type === 'drop') take(event.dataTransfer.files);
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    window.addEventListener('dragover', onDrag);
    window.addEventListener('drop', onDrag);
    window.addEventListener('dragleave', onLeave);
    return () => {
      window.removeEventListener('dragover', onDrag);
      window.removeEventListener('drop', onDrag);
      window.removeEventListener('dragleave', onLeave);
    };
  }, [take]);
  return isOver;
}
