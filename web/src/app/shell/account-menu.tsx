import { ActionIcon, Avatar, Menu } from '@mantine/core';
import { KeyCaps } from '../../components/hotkeys/key-caps.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { IconKeyboard, IconLanguage, IconLogout } from '../../icons/icons.tsx';
import { signOut } from '../../session/session-api.ts';
import { useSession, useSessionState } from '../../session/session-context.tsx';
import { LANGUAGES, type Language } from '../../texts/preferred-language.ts';
import { useErrorText, useLanguage, useTexts } from '../../texts/texts-context.tsx';
import styles from './account-menu.module.css';

export function AccountMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const { app } = useTexts();
  const { name, role } = useSession();
  const { end } = useSessionState();
  const { language, choose } = useLanguage();
  const toast = useToast();
  const errorText = useErrorText();
  const leave = () =>
    void signOut().then(end, (error: unknown) => toast.show({ message: errorText(error), isError: true }));
  return (
    <Menu position="bottom-end" withinPortal={false} width={240}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          radius="xl"
          aria-label={`${app.account.label}: ${name}`}
        >
          <Avatar size={28} radius="xl" className={styles.avatar} aria-hidden>
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.who}>
          <strong>{name}</strong>
          <span>{app.roles[role]}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={18} stroke={1.75} />}
          rightSection={<KeyCaps keys="?" />}
          onClick={onShowKeys}
        >
          {app.account.keys}
        </Menu.Item>
        {(Object.entries(LANGUAGES) as [Language, string][])
          .filter(([other]) => other !== language)
          .map(([other, label]) => (
            <Menu.Item
              key={other}
              lang={other}
              leftSection={<IconLanguage size={18} stroke={1.75} />}
              onClick={() => choose(other)}
            >
              {label}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={leave}>
          {app.account.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
