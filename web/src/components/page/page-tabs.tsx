import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './page-tabs.module.css';

interface Props {
  /** Names the parts. */
  readonly label: string;
  /** The address and the name of each part. Addresses below the one of a part belong to it, except of the first part. */
  readonly tabs: readonly (readonly [href: string, name: string])[];
}

/** Links to the parts of a page, below its header. */
export function PageTabs({ label, tabs }: Props) {
  const [path] = useLocation();
  const bar = useRef<HTMLElement>(null);
  const [home] = tabs[0] ?? [''];
  const isCurrent = (href: string) => path === href || (href !== home && path.startsWith(`${href}/`));
  const current = tabs.find(([href]) => isCurrent(href))?.[0];
  // A phone shows only some of them.
  useEffect(() => {
    bar.current?.querySelector(`[href="${current}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label}>
      {tabs.map(([href, name]) => (
        <Link
          key={href}
          href={href}
          className={styles.tab}
          aria-current={href === current ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
