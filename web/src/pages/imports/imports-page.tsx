import { useState } from 'react';
import { useParams } from 'wouter';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { DropZone } from './home/drop-zone.tsx';
import { ExportPanel } from './home/export-panel.tsx';
import styles from './home/imports-home.module.css';
import { ImportsList } from './home/imports-list.tsx';
import { MappingsList } from './home/mappings-list.tsx';
import { ImportView } from './plan/import-view.tsx';
import type { ChosenFile } from './send/file-head.ts';
import { PreparePanel } from './send/prepare-panel.tsx';

/** Files to import and to export, or one import. */
export default function ImportsPage() {
  const { importId } = useParams<{ importId?: string }>();
  return importId === undefined ? <ImportsHome /> : <ImportView key={importId} importId={importId} />;
}

function ImportsHome() {
  const { app, imports } = useTexts();
  const [chosen, setChosen] = useState<ChosenFile>();
  return (
    <>
      <PageHeader title={app.pages.imports} facts={imports.facts} />
      <PageBody>
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
