import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './page-tabs.module.css';
import { useTitlePart } from './use-page-title.ts';

interface Props {
  /** Names the parts. */
  readonly label: string;
  /** The address and the name of each part, and how many records it has. Addresses below the one of a part belong to it, except of the first part. */
  readonly tabs: readonly (readonly [href: string, name: string, count?: string | undefined])[];
  /** The address of the part that shows, if it is more than a path. */
  readonly current?: string;
  /** In the body of a page instead of below its header. */
  readonly isInset?: boolean;
}

/** Links to the parts of a page. */
export function PageTabs({ label, tabs, current: given, isInset }: Props) {
  const [path] = useLocation();
  const bar = useRef<HTMLElement>(null);
  const [home] = tabs[0] ?? [''];
  const isBelow = (href: string) => path === href || (href !== home && path.startsWith(`${href}/`));
  const current = given ?? tabs.find(([href]) => isBelow(href))?.[0];
  useTitlePart(current === home ? undefined : tabs.find(([href]) => href === current)?.[1]);
  // A phone shows only some of them.
  useEffect(() => {
    if (current === undefined) return;
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={bar} className={styles.tabs} aria-label={label} data-inset={isInset}>
      {tabs.map(([href, name, count]) => (
        <Link
          key={href}
          href={href}
          className={styles.tab}
          aria-current={href === current ? 'page' : undefined}
        >
          {name}
          {count !== undefined && <span className={`${styles.count} number`}>{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
