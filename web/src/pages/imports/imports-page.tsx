import { useCallback, useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { WaitingDraft } from '../../drafts/draft-note.tsx';
import { draftKey, drafts } from '../../drafts/drafts.ts';
import { useKeptDraft } from '../../drafts/use-draft.ts';
import { usePersonId } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { DropZone } from './home/drop-zone.tsx';
import { ExportPanel } from './home/export-panel.tsx';
import styles from './home/imports-home.module.css';
import { ImportsList } from './home/imports-list.tsx';
import { MappingsList } from './home/mappings-list.tsx';
import { ImportView } from './plan/import-view.tsx';
import { useMappingsReader } from './imports-api.ts';
import { type ChosenFile, readHead } from './send/file-head.ts';
import { IMPORT_PLACE, type ImportDraft, readImportDraft } from './send/import-draft.ts';
import { keptFile } from './send/kept-file.ts';
import { PreparePanel } from './send/prepare-panel.tsx';

/** Files to import and to export, or one import. */
export default function ImportsPage() {
  const { importId } = useParams<{ importId?: string }>();
  return importId === undefined ? <ImportsHome /> : <ImportView key={importId} importId={importId} />;
}

function ImportsHome() {
  const { app, imports } = useTexts();
  const [chosen, setChosen] = useState<ChosenFile>();
  const waiting = useKeptDraft(IMPORT_PLACE);
  // A file that the person has chosen meanwhile stays.
  const offer = useCallback((file: ChosenFile) => setChosen((now) => now ?? file), []);
  const kept = useKeptImport(offer);
  return (
    <>
      <PageHeader title={app.pages.imports} facts={imports.facts} />
      <PageBody>
        {!chosen && kept && (
          <WaitingDraft {...waiting} what={app.draft.chooseAgain(kept.file.name)} onOpen={undefined} />
        )}
        <div className={styles.panels} data-prepare={chosen !== undefined || undefined}>
          {chosen ? (
            <PreparePanel chosen={chosen} onClose={() => setChosen(undefined)} />
          ) : (
            <DropZone onChoose={setChosen} />
          )}
          {!chosen && <ExportPanel />}
        </div>
        <ImportsList />
        <MappingsList />
      </PageBody>
    </>
  );
}

/** The import that was prepared before a reload. Its file is read again if the browser has kept it. */
function useKeptImport(onFile: (chosen: ChosenFile) => void): ImportDraft | undefined {
  const personId = usePersonId();
  const readMappings = useMappingsReader();
  const [kept] = useState(() => readImportDraft(drafts.find(draftKey(personId, IMPORT_PLACE))?.values));
  useEffect(() => {
    if (!kept) return;
    let isLeft = false;
    const read = async () => {
      const file = await keptFile(personId, kept.file);
      const chosen = file && (await readHead(file, kept.answer, await readMappings()));
      if (chosen && !isLeft) onFile(chosen);
    };
    // A file that cannot be read any more is chosen again.
    read().catch(() => {});
    return () => {
      isLeft = true;
    };
  }, [kept, personId, onFile, readMappings]);
  return kept;
}
