import { Button, Group } from '@mantine/core';
import type { Movement } from '../../api/schemas.ts';
import { authorName } from '../../components/movements/movement-facts.ts';
import type { QuantityEdit } from '../../components/parse-quantity.ts';
import { useNow } from '../../components/relative-time.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './dialogs.module.css';
import type { Pet } from './pet-api.ts';

interface Props {
  readonly pet: Pet;
  readonly latest: Movement | undefined;
  /** The edit of the person, if it is possible. */
  readonly edit: QuantityEdit | undefined;
  readonly isBusy: boolean;
  readonly onKeep: () => void;
  readonly onOverwrite: () => void;
}

/** Says who changed the quantity while the dialog was open, and lets the person decide. */
export function Conflict({ pet, latest, edit, isBusy, onKeep, onOverwrite }: Props) {
  const texts = useTexts();
  const format = useFormat();
  const now = useNow();
  const isKnown = latest?.version === pet.version;
  const who = isKnown ? authorName(latest.actor, texts) : texts.pet.someone;
  const at = new Date(isKnown ? latest.recordedAt : pet.updatedAt);
  return (
    <div role="alert" className={styles.conflict}>
      <span>
        {texts.pet.conflict(
          who,
          format.quantity(pet.quantity),
          format.relative(at, Math.max(now, at.getTime())),
        )}
      </span>
      <Group gap="xs">
        <Button variant="default" size="compact-sm" onClick={onKeep}>
          {texts.pet.keep(format.quantity(pet.quantity))}
        </Button>
        {edit && (
          <Button variant="default" size="compact-sm" loading={isBusy} onClick={onOverwrite}>
            {edit.kind === 'set'
              ? texts.pet.setAnyway(format.quantity(edit.quantity))
              : texts.pet.addAnyway(format.change(edit.delta), format.quantity(edit.quantity))}
          </Button>
        )}
      </Group>
    </div>
  );
}
