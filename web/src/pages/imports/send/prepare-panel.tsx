import { Button, Group, Progress, SegmentedControl } from '@mantine/core';
import {
  columnMap,
  guessMapping,
  type Mapping,
  missingFields,
} from '@petstore-inventory/shared/pet-file/headings';
import { type Decimal, IMPORT_MODES } from '@petstore-inventory/shared/words';
import { useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { ImportMode } from '../../../api/schemas.ts';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { useDraft } from '../../../drafts/use-draft.ts';
import { useSession } from '../../../session/session-context.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { BadRows } from './bad-rows.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import type { ChosenFile } from './file-head.ts';
import { factsOf, IMPORT_PLACE, type ImportDraft, readImportDraft } from './import-draft.ts';
import { forgetFile, keepFile } from './kept-file.ts';
import { columnsOf, isMappedBy, type MendedRows, repeatedField } from './mapped-file.ts';
import { RememberMapping } from './remember-mapping.tsx';
import styles from './prepare-panel.module.css';
import { useUpload } from './use-upload.ts';

/** Shows how the columns of a file are read, and sends it. */
export function PreparePanel({ chosen, onClose }: { chosen: ChosenFile; onClose: () => void }) {
  const { app, imports, shared } = useTexts();
  const format = useFormat();
  const [, navigate] = useLocation();
  const { file, csv } = chosen;
  const [kept, setKept] = useState(chosen.remembered);
  const [mapping, setMapping] = useState(() => guessMapping(csv?.headers ?? [], columnMap(kept?.columns)));
  const [mode, setMode] = useState<ImportMode>('set');
  const [decimal, setDecimal] = useState<Decimal | undefined>(kept?.decimal ?? undefined);
  const [mended, setMended] = useState<MendedRows>(new Map());
  const { send, cancel, progress, problem, bad, forget } = useUpload((importId) =>
    end(() => navigate(`/imports/${importId}`)),
  );
  const { keyId } = useSession();
  useEffect(() => void keepFile(keyId, file), [keyId, file]);
  const draft = useDraft<ImportDraft>({
    place: IMPORT_PLACE,
    empty: null,
    values: {
      file: factsOf(file),
      answer: chosen.answer,
      mapping,
      mode,
      decimal: decimal ?? null,
      mended: [...mended],
    },
    read: (value) => {
      const kept = readImportDraft(value);
      const isSame = kept?.file.name === file.name && kept.file.size === file.size;
      return isSame && kept.mapping.length === mapping.length ? kept : undefined;
    },
    load: (kept) => {
      setMapping(kept.mapping);
      setMode(kept.mode);
      setDecimal(kept.decimal ?? undefined);
      setMended(new Map(kept.mended));
    },
  });
  /** The file is sent, or the person discards it. */
  const end = (next: () => void) => {
    draft.end();
    void forgetFile(keyId);
    next();
  };
  const missing = csv ? missingFields(mapping).map((field) => shared.fields[field]) : [];
  const repeated = repeatedField(mapping);
  const isReady = missing.length === 0 && repeated === undefined;
  // A column that was changed since is not as the mapping has it.
  const remembered = kept && csv && isMappedBy(kept, csv.headers, mapping) ? kept : undefined;
  const changeMapping = (next: Mapping) => {
    setMapping(next);
    // The mended values are of other columns.
    setMended(new Map());
    forget();
  };
  const changeMode = (next: ImportMode) => {
    setMode(next);
    // A quantity that may be added can be one that cannot be set.
    forget();
  };
  const check = (leavesOut: boolean, mark = decimal) =>
    send(chosen, { mapping, mode, mended, leavesOut, decimal: mark, remembered });
  const facts = [
    imports.formats[chosen.format],
    ...(chosen.encoding ? [imports.encodings[chosen.encoding]] : []),
    ...(csv && csv.headingLine > 1 ? [imports.headingLine(format.quantity(csv.headingLine))] : []),
    ...(chosen.answer.sheet === undefined ? [] : [chosen.answer.sheet]),
    format.bytes(file.size),
  ];
  return (
    <section className={styles.panel} aria-labelledby="prepare-title">
      <div>
        <h2 id="prepare-title" className={styles.title}>
          {file.name}
        </h2>
        <p className={styles.hint}>
          {facts.join(' · ')}. {imports.checkHint}
        </p>
      </div>
      <DraftNote draft={{ ...draft, discard: () => end(onClose) }} />
      {csv && <ColumnMapping csv={csv} mapping={mapping} onChange={changeMapping} />}
      {csv && isReady && (
        <RememberMapping
          used={remembered?.name}
          offered={kept?.name}
          mapping={() => ({
            columns: [...columnsOf(csv.headers, mapping)],
            decimal: decimal ?? null,
            encoding: chosen.answer.encoding ?? kept?.encoding ?? null,
            sheet: chosen.answer.sheet ?? kept?.sheet ?? null,
          })}
          onRemember={setKept}
          onDrop={() => {
            setKept(undefined);
            changeMapping(guessMapping(csv.headers));
          }}
        />
      )}
      {bad && (
        <BadRows
          bad={bad}
          mapping={mapping}
          mended={mended}
          onDecimal={(mark) => {
            setDecimal(mark);
            check(false, mark);
          }}
          onMend={(line, values) => setMended((before) => new Map(before).set(line, values))}
        />
      )}
      <ModeChoice mode={mode} onChange={changeMode} />
      {missing.length > 0 && <p className={styles.hint}>{imports.missing(missing.join(', '))}</p>}
      {repeated && <p className={styles.hint}>{imports.repeated(shared.fields[repeated])}</p>}
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {progress && (
        <div className={styles.progress}>
          <Progress.Root>
            <Progress.Section value={progress.share * 100} aria-label={imports.progress[progress.step]} />
          </Progress.Root>
          <span className="number">
            {imports.progress[progress.step]} {format.percent(Math.floor(progress.share * 100) / 100)}
          </span>
        </div>
      )}
      <Group gap={8} justify="flex-end">
        <Button
          variant="default"
          onClick={() => {
            cancel();
            end(onClose);
          }}
        >
          {app.actions.cancel}
        </Button>
        {bad && (
          <Button variant="default" onClick={() => check(true)} disabled={!isReady}>
            {imports.bad.leaveOut(format.count(bad.count))}
          </Button>
        )}
        <Button onClick={() => check(false)} disabled={!isReady} loading={progress !== undefined} autoFocus>
          {imports.check}
        </Button>
      </Group>
    </section>
  );
}

function ModeChoice({ mode, onChange }: { mode: ImportMode; onChange: (mode: ImportMode) => void }) {
  const { imports } = useTexts();
  const hint = useId();
  return (
    <div className={styles.mode}>
      <SegmentedControl
        aria-label={imports.mode}
        aria-describedby={hint}
        value={mode}
        onChange={(next) => onChange(next as ImportMode)}
        data={IMPORT_MODES.map((value) => ({ value, label: imports.modes[value] }))}
      />
      <p id={hint} className={styles.hint}>
        {imports.modeHints[mode]}
      </p>
    </div>
  );
}
