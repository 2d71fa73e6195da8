import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './page-header.module.css';

interface Props {
  readonly title: string;
  /** One line of facts, such as "1,204 pets, 37 low". */
  readonly facts?: ReactNode;
  /** The primary action last. */
  readonly actions?: ReactNode;
}

/** The top of each page. It also names the tab. */
export function PageHeader({ title, facts, actions }: Props) {
  const { shop } = useTexts().app;
  useEffect(() => {
    document.title = `${title} · ${shop}`;
  }, [title, shop]);
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        <p className={`${styles.facts} number`}>{facts}</p>
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
