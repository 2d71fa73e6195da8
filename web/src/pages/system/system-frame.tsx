import type { ReactNode } from 'react';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageTabs } from '../../components/page/page-tabs.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

/** The header and the tabs of all parts of the page. */
export function SystemFrame({ facts, children }: { facts?: ReactNode; children: ReactNode }) {
  const { app, system } = useTexts();
  return (
    <>
      <PageHeader title={app.pages.system} facts={facts} />
      <PageTabs
        label={system.parts}
        tabs={[
          ['/system', system.tabs.state],
          ['/system/ledger', system.tabs.ledger],
          ['/system/log', system.tabs.log],
        ]}
      />
      <PageBody>{children}</PageBody>
    </>
  );
}
