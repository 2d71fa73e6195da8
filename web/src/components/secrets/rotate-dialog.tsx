import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** How long the old secret works after a rotation. */
const SECONDS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;

interface Rotated {
  readonly secret: string;
  /** Until when the old secret works too. */
  readonly oldUntil: string | null;
}

interface Props {
  readonly title: string;
  readonly texts: {
    readonly rotateAction: string;
    readonly rotatedTitle: string;
    readonly oldEnded: string;
    readonly oldUntil: (time: string) => string;
  };
  readonly hint: string;
  /** Names the secret. */
  readonly label: string;
  /** The service refuses another overlap: it would end the secret that the receiver has. */
  readonly hasOverlap?: boolean;
  readonly onRotate: (overlapSeconds: number) => Promise<Rotated>;
  readonly onClose: () => void;
}

/** Makes another secret in place of one, and then shows it. */
export function RotateDialog({ title, texts, hint, label, hasOverlap = true, onRotate, onClose }: Props) {
  const { secrets } = useTexts().app;
  const format = useFormat();
  const [overlap, setOverlap] = useState<number>(hasOverlap ? SECONDS.day : 0);
  const [made, setMade] = useState<Rotated>();
  if (made)
    return (
      <SecretDialog title={texts.rotatedTitle} label={label} secret={made.secret} onClose={onClose}>
        <Text c="dimmed">
          {overlap === 0 || made.oldUntil === null
            ? texts.oldEnded
            : texts.oldUntil(format.dateTime(new Date(made.oldUntil)))}
        </Text>
      </SecretDialog>
    );
  return (
    <FormDialog
      title={title}
      action={texts.rotateAction}
      onClose={onClose}
      onSubmit={async () => setMade(await onRotate(overlap))}
      staysOpen
    >
      <Text>{hint}</Text>
      {hasOverlap && (
        <Select
          label={secrets.overlap}
          value={String(overlap)}
          onChange={(next) => setOverlap(Number(next))}
          data={(['none', 'hour', 'day', 'week'] as const).map((each) => ({
            value: String(SECONDS[each]),
            label: secrets.overlaps[each],
          }))}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
