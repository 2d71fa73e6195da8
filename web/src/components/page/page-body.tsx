import type { ReactNode } from 'react';
import styles from './page-body.module.css';

/** The content of a page below its header, up to 1,440 px wide. A table that fills the window needs none. */
export function PageBody({ children }: { children: ReactNode }) {
  return (
    <div className={styles.body} data-page-body>
      {children}
    </div>
  );
}
