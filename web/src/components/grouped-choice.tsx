import { Checkbox } from '@mantine/core';
import styles from './grouped-choice.module.css';

interface Props {
  readonly groups: readonly {
    readonly name: string;
    /** The value is shown below its label: a program needs that name. */
    readonly members: readonly { readonly value: string; readonly label: string }[];
  }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Checkboxes in named groups. */
export function GroupedChoice({ groups, chosen, onChange }: Props) {
  return (
    <Checkbox.Group value={[...chosen]} onChange={onChange}>
      <div className={styles.groups}>
        {groups.map(({ name, members }) => (
          <fieldset key={name} className={styles.group}>
            <legend>{name}</legend>
            {members.map(({ value, label }) => (
              <Checkbox
                key={value}
                size="xs"
                value={value}
                label={label}
                description={value}
                classNames={{ description: styles.value }}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </Checkbox.Group>
  );
}
