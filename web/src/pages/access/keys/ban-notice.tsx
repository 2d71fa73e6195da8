import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { IconBan } from '../../../icons/icons.tsx';
import { useMay } from '../../../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { liftBan, useBans, useRefresh } from '../access-api.ts';
import styles from './ban-notice.module.css';

/** Says that a key is banned, if it is. */
export function BanNotice({ keyId }: { keyId: string }) {
  const { bans: texts } = useTexts().access;
  const format = useFormat();
  const { records: bans = [] } = useBans();
  const ban = bans.find((each) => each.keyId === keyId);
  if (!ban) return null;
  return (
    <div className={styles.notice}>
      <IconBan size={18} stroke={1.75} aria-hidden />
      <span className={styles.words}>{texts.banner(format.dateTime(new Date(ban.endsAt)))}</span>
      <LiftBanButton keyId={keyId} hint={ban.hint} />
    </div>
  );
}

export function LiftBanButton({ keyId, hint }: { keyId: string; hint: string }) {
  const { bans } = useTexts().access;
  const errorText = useErrorText();
  const toast = useToast();
  const refresh = useRefresh();
  const isAdministrator = useMay('administrator');
  const lift = useMutation({
    mutationFn: () => liftBan(keyId),
    onSuccess: async ({ lifted }) => {
      await refresh();
      toast.show({ message: lifted ? bans.lifted : bans.wasOver });
    },
    onError: (error) => toast.show({ message: errorText(error), isError: true }),
  });
  if (!isAdministrator) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={lift.isPending}
      onClick={() => lift.mutate()}
      aria-label={`${bans.lift}: ${hint}`}
    >
      {bans.lift}
    </Button>
  );
}
