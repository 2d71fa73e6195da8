import { Button, Switch } from '@mantine/core';
import { PageHeader } from '../../components/page/page-header.tsx';
import type { Count } from '../../counts/count.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './count.module.css';

interface Props {
  readonly counts: readonly Count[];
  readonly isBlind: boolean;
  readonly onBlind: (isBlind: boolean) => void;
  readonly onFinish: () => void;
}

export function CountHeader({ counts, isBlind, onBlind, onFinish }: Props) {
  const { app, count } = useTexts();
  const { quantity } = useFormat();
  const counted = counts.filter(({ state }) => state !== 'undone').length;
  const waiting = counts.filter(({ state }) => state === 'waiting').length;
  return (
    <PageHeader
      title={app.pages.count}
      facts={count.facts(quantity(counted), quantity(waiting))}
      actions={
        <>
          <Switch
            label={count.blind}
            title={count.blindHint}
            checked={isBlind}
            onChange={(event) => onBlind(event.currentTarget.checked)}
            className={styles.blind}
          />
          <Button variant="default" disabled={counts.length === 0} onClick={onFinish}>
            {count.finish}
          </Button>
        </>
      }
    />
  );
}
