import { Link, useLocation } from 'wouter';
import styles from './page-tabs.module.css';

interface Props {
  /** Names the parts. */
  readonly label: string;
  /** The address and the name of each part. Other addresses below an address belong to it; the first one is exact. */
  readonly tabs: readonly (readonly [href: string, name: string])[];
  /** The current part where its address does not show it. */
  readonly current?: string;
}

/** Links to the parts of a page, below its header. */
export function PageTabs({ label, tabs, current }: Props) {
  const [path] = useLocation();
  const [home] = tabs[0] ?? [''];
  const isCurrent = (href: string) =>
    current === undefined
      ? path === href || (href !== home && path.startsWith(`${href}/`))
      : current === href;
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(([href, name]) => (
        <Link
          key={href}
          href={href}
          className={styles.tab}
          aria-current={isCurrent(href) ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
