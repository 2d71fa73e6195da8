import { Button, Group, Progress, SegmentedControl } from '@mantine/core';
import { IMPORT_MODES } from '@petstore-inventory/shared/words';
import { useId } from 'react';
import type { ImportMode } from '../../../api/schemas.ts';
import { DraftNote } from '../../../drafts/draft-note.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { BadRows } from './bad-rows.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import type { ChosenFile } from './file-head.ts';
import { columnsOf } from './mapped-file.ts';
import { RememberMapping } from './remember-mapping.tsx';
import styles from './prepare-panel.module.css';
import { usePreparation } from './use-preparation.ts';

/** Shows how the columns of a file are read, and sends it. */
export function PreparePanel({ chosen, onClose }: { chosen: ChosenFile; onClose: () => void }) {
  const { app, imports, shared } = useTexts();
  const format = useFormat();
  const { file, csv } = chosen;
  const preparation = usePreparation(chosen, onClose);
  const { mapping, isReady, repeated, kept, remembered, progress, problem, bad, check } = preparation;
  const missing = preparation.missing.map((field) => shared.fields[field]);
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
      <DraftNote draft={preparation.draft} />
      {csv && <ColumnMapping csv={csv} mapping={mapping} onChange={preparation.changeMapping} />}
      {csv && isReady && (
        <RememberMapping
          used={remembered?.name}
          offered={kept?.name}
          mapping={() => ({
            columns: [...columnsOf(csv.headers, mapping)],
            decimal: preparation.decimal ?? null,
            encoding: chosen.answer.encoding ?? kept?.encoding ?? null,
            sheet: chosen.answer.sheet ?? kept?.sheet ?? null,
          })}
          onRemember={preparation.remember}
          onDrop={preparation.dropRemembered}
        />
      )}
      {bad && (
        <BadRows
          bad={bad}
          mapping={mapping}
          mended={preparation.mended}
          onDecimal={preparation.changeDecimal}
          onMend={preparation.mend}
        />
      )}
      <ModeChoice mode={preparation.mode} onChange={preparation.changeMode} />
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
        <Button variant="default" onClick={preparation.cancel}>
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
