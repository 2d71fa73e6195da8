import type { ReactNode } from 'react';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageTabs } from '../../components/page/page-tabs.tsx';
import { useTexts } from '../../texts/texts-context.tsx';

interface Props {
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The header and the tabs of all parts of the page. */
export function AccessFrame({ facts, actions, children }: Props) {
  const {
    app,
    access: { parts, tabs },
  } = useTexts();
  return (
    <>
      <PageHeader title={app.pages.access} facts={facts} actions={actions} />
      <PageTabs
        label={parts}
        tabs={[
          ['/access', tabs.accounts],
          ['/access/keys', tabs.keys],
          ['/access/management-keys', tabs.managementKeys],
          ['/access/bans', tabs.bans],
          ['/access/sessions', tabs.sessions],
        ]}
      />
      <PageBody>{children}</PageBody>
    </>
  );
}
