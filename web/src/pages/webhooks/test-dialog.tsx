import { Button, Group, Loader } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { WebhookAttempt } from '../../api/schemas.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './attempt-details.module.css';
import { AttemptDetails } from './attempt-details.tsx';

interface Props {
  /** The message that is sent, or was. */
  readonly test: UseMutationResult<WebhookAttempt, Error, void>;
}

/** Shows what the receiver answers to a test message. */
export function TestDialog({ test }: Props) {
  const { app, webhooks } = useTexts();
  const { data: attempt, error, isPending, mutate, reset } = test;
  return (
    <Dialog onClose={reset} title={webhooks.testTitle} size={560}>
      <div className={styles.test} aria-live="polite" aria-busy={isPending}>
        {isPending && (
          <Group gap={12}>
            <Loader size={20} />
            {webhooks.testing}
          </Group>
        )}
        {error && <ErrorState error={error} />}
        {attempt && (
          <>
            <p className={styles.verdict} data-failed={attempt.error !== null || undefined}>
              {attempt.error === null ? webhooks.testWorked : webhooks.testFailed}
            </p>
            <AttemptDetails attempt={attempt} />
          </>
        )}
      </div>
      <Group justify="flex-end" gap="xs" mt={16}>
        <Button variant="default" disabled={isPending} onClick={() => mutate()}>
          {webhooks.testAgain}
        </Button>
        <Button onClick={reset}>{app.actions.close}</Button>
      </Group>
    </Dialog>
  );
}
