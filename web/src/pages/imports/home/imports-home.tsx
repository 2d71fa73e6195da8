import { useState } from 'react';
import { PageBody } from '../../../components/page/page-body.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import type { ChosenFile } from '../send/file-head.ts';
import { PreparePanel } from '../send/prepare-panel.tsx';
import { DropZone } from './drop-zone.tsx';
import { ExportPanel } from './export-panel.tsx';
import styles from './imports-home.module.css';
import { ImportsList } from './imports-list.tsx';

export function ImportsHome() {
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
      </PageBody>
    </>
  );
}
