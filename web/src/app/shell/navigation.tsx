import { Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation } from 'wouter';
import { Logo } from '../../components/logo.tsx';
import { IconDots } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { ENTRIES, type EntryPage } from '../pages.ts';
import styles from './navigation.module.css';

const GROUPS = ['shop', 'manage'] as const;

/** All pages at the left; icons alone on a narrow window; a bar at the bottom of a phone. */
export function Navigation() {
  const { app } = useTexts();
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false });
  const entries = useVisibleEntries();
  if (isPhone) return <BottomBar entries={entries} />;
  return (
    <nav className={styles.navigation} aria-label={app.navigation}>
      <div className={styles.brand}>
        <Logo />
        <span className={styles.label}>{app.shop}</span>
      </div>
      {GROUPS.map((group) => (
        <ul key={group} className={styles.group} aria-label={app.groups[group]}>
          {entries
            .filter(({ entry }) => entry.group === group)
            .map((page) => (
              <li key={page.name}>
                <Entry page={page} />
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}

function useVisibleEntries(): readonly EntryPage[] {
  const may = { viewer: true, staff: useMay('staff'), administrator: useMay('administrator') };
  return ENTRIES.filter(({ role = 'viewer' }) => may[role]);
}

function isCurrent(href: string, path: string): boolean {
  if (href === '/') return path === '/';
  return path === href || path.startsWith(`${href}/`) || (href === '/stock' && path.startsWith('/pets/'));
}

function Entry({ page: { name, entry, code } }: { page: EntryPage }) {
  const { app } = useTexts();
  const [path] = useLocation();
  const isNarrow = useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false });
  const { icon: Icon } = entry;
  return (
    <Tooltip label={app.pages[name]} position="right" disabled={!isNarrow}>
      <Link
        href={entry.href}
        className={styles.entry}
        aria-current={isCurrent(entry.href, path) ? 'page' : undefined}
        onPointerEnter={() => code.preload()}
      >
        <Icon size={18} stroke={1.75} aria-hidden />
        <span className={styles.label}>{app.pages[name]}</span>
      </Link>
    </Tooltip>
  );
}

function BottomBar({ entries }: { entries: readonly EntryPage[] }) {
  const { app } = useTexts();
  const [path, navigate] = useLocation();
  const rest = entries.filter(({ entry }) => !entry.isInBar);
  return (
    <nav className={styles.bar} aria-label={app.navigation}>
      {entries
        .filter(({ entry }) => entry.isInBar)
        .map(({ name, entry: { href, icon: Icon } }) => (
          <Link
            key={name}
            href={href}
            className={styles.tab}
            aria-current={isCurrent(href, path) ? 'page' : undefined}
          >
            <Icon size={20} stroke={1.75} aria-hidden />
            {app.pages[name]}
          </Link>
        ))}
      <Menu position="top-end" withinPortal={false} width={220}>
        <Menu.Target>
          <UnstyledButton
            className={styles.tab}
            data-current={rest.some(({ entry }) => isCurrent(entry.href, path)) || undefined}
          >
            <IconDots size={20} stroke={1.75} aria-hidden />
            {app.more}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {rest.map(({ name, entry: { href, icon: Icon } }) => (
            <Menu.Item
              key={name}
              leftSection={<Icon size={18} stroke={1.75} />}
              onClick={() => navigate(href)}
            >
              {app.pages[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
