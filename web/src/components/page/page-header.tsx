import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { IconChevronLeft } from '../../icons/icons.tsx';
import { usePageStart } from './kept-scroll.ts';
import styles from './page-header.module.css';
import { usePageTitle } from './use-page-title.ts';

/** A title of more characters may be cut after three lines on a phone. */
const LONG = 60;

interface Props {
  readonly title: string;
  /** The page above, such as the list of a detail. */
  readonly parent?: { readonly href: string; readonly label: string };
  /** One line of facts, such as "1,204 pets, 37 low". */
  readonly facts?: ReactNode;
  /** The primary action last. */
  readonly actions?: ReactNode;
}

/** The top of each page. It also names the tab. */
export function PageHeader({ title, parent, facts, actions }: Props) {
  usePageStart();
  usePageTitle(title);
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        {parent && (
          <Link href={parent.href} className={`${styles.parent} tap`}>
            <IconChevronLeft size={14} stroke={2} aria-hidden />
            {parent.label}
          </Link>
        )}
        <h1 className={styles.title} title={title.length > LONG ? title : undefined}>
          {title}
        </h1>
        <div className={`${styles.facts} number`}>{facts}</div>
      </div>
      {actions !== undefined && actions !== false && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
