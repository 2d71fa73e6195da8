import { Button, Group } from '@mantine/core';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Change, Quantity } from '../../components/quantity.tsx';
import { type Count, difference, isSettled } from '../../counts/count.ts';
import { countQueue } from '../../counts/use-counts.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './list.module.css';

/** The result of the count. Finishing it clears the recorded counts; the others stay. */
export function Summary({ counts, onClose }: { counts: readonly Count[]; onClose: () => void }) {
  const { summary } = useTexts().count;
  const of = (state: Count['state']) => counts.filter((count) => count.state === state);
  const sent = of('sent').filter(({ edit }) => !edit);
  const changed = sent.filter((count) => difference(count) !== 0);
  const open = counts.filter((count) => !isSettled(count));
  const finish = () => {
    for (const { id } of counts.filter(isSettled)) countQueue.remove(id);
    onClose();
  };
  const rows: readonly (readonly [string, number])[] = [
    [
      summary.counted,
      new Set(counts.filter(({ state, edit }) => state !== 'undone' && !edit).map(({ petId }) => petId)).size,
    ],
    [summary.changed, changed.length],
    [summary.confirmed, sent.length - changed.length],
    [summary.waiting, of('waiting').length],
    [summary.conflicts, of('conflict').length],
    [summary.refused, of('refused').length],
  ];
  return (
    <Dialog onClose={onClose} title={summary.title}>
      <dl className={styles.summary}>
        {rows
          .filter(([, value], index) => index < 3 || value > 0)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Quantity value={value} />
              </dd>
            </div>
          ))}
        <div>
          <dt>{summary.units}</dt>
          <dd>
            <Change value={changed.reduce((sum, count) => sum + difference(count), 0)} />
          </dd>
        </div>
      </dl>
      <p className={styles.empty}>{open.length > 0 ? summary.left : summary.all}</p>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {summary.back}
        </Button>
        <Button onClick={finish} data-autofocus>
          {summary.done}
        </Button>
      </Group>
    </Dialog>
  );
}
