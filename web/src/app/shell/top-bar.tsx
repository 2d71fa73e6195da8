import {
  ActionIcon,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { KeyCaps } from '../../components/hotkeys/key-caps.tsx';
import { Logo } from '../../components/logo.tsx';
import { IconMoon, IconSearch, IconSun } from '../../icons/icons.tsx';
import { useLiveStatus } from '../../live/use-live.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { AccountMenu } from './account-menu.tsx';
import { openPalette } from './palette.tsx';
import styles from './top-bar.module.css';

export function TopBar({ onShowKeys }: { onShowKeys: () => void }) {
  const { app } = useTexts();
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <Logo />
      </span>
      <UnstyledButton className={styles.search} onClick={openPalette}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={styles.hint}>{app.search.hint}</span>
        <span className={styles.keys}>
          <KeyCaps keys="Mod+k" />
        </span>
      </UnstyledButton>
      <div className={styles.end}>
        <LiveDot />
        <ThemeSwitch />
        <AccountMenu onShowKeys={onShowKeys} />
      </div>
    </header>
  );
}

function ThemeSwitch() {
  const { theme } = useTexts().app;
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const next = isDark ? 'light' : 'dark';
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <Tooltip label={theme[next]}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`${theme.label}: ${theme[next]}`}
        onClick={() => setColorScheme(next)}
      >
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Whether changes of others arrive. */
function LiveDot() {
  const { live } = useTexts().app;
  const { state } = useLiveStatus();
  return (
    <Tooltip label={live.liveHint} disabled={state !== 'live'}>
      <span className={styles.live} data-state={state} role="status">
        <span className={styles.dot} aria-hidden />
        <span className={styles.label}>{live[state]}</span>
      </span>
    </Tooltip>
  );
}
