import { Button, TextInput } from '@mantine/core';
import { MAX_MAPPING_NAME } from '@petstore-inventory/shared/limits';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ImportMapping, WrittenImportMapping } from '../../../api/schemas.ts';
import { atMost } from '../../../components/at-most.ts';
import { useSubmit } from '../../../components/dialogs/use-submit.ts';
import { useTexts } from '../../../texts/texts-context.tsx';
import { useMappingChanges } from '../imports-api.ts';
import styles from './remember-mapping.module.css';

interface Props {
  /** The name of the mapping by which the columns are read; `undefined`: by none. */
  readonly used: string | undefined;
  /** The name of the mapping that a change of the columns would replace. */
  readonly offered: string | undefined;
  /** The columns as they are now. */
  readonly mapping: () => WrittenImportMapping;
  readonly onRemember: (mapping: ImportMapping) => void;
  readonly onDrop: () => void;
}

/** Says by which remembered mapping the columns are read, or remembers them under a name. */
export function RememberMapping({ used, offered, mapping, onRemember, onDrop }: Props) {
  const { imports } = useTexts();
  const { remember } = useMappingChanges();
  const [typed, setTyped] = useState<string>();
  const name = (typed ?? offered ?? '').trim();
  const { isBusy, problem, submit } = useSubmit(async () => {
    if (name !== '') onRemember(await remember(name, mapping()));
  });
  if (used !== undefined) {
    return (
      <div className={styles.used} role="status">
        <span>{imports.mappings.used(used)}</span>
        <Button variant="subtle" size="compact-sm" onClick={onDrop}>
          {imports.mappings.drop}
        </Button>
      </div>
    );
  }
  return (
    <form className={styles.form} onSubmit={(event: FormEvent<HTMLFormElement>) => void submit(event)}>
      <TextInput
        className={styles.name}
        label={imports.mappings.name}
        description={imports.mappings.hint}
        placeholder={imports.mappings.example}
        {...atMost(MAX_MAPPING_NAME)}
        value={typed ?? offered ?? ''}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        error={problem}
      />
      <Button type="submit" variant="default" disabled={name === ''} loading={isBusy}>
        {offered !== undefined && name === offered ? imports.mappings.replace : imports.mappings.remember}
      </Button>
    </form>
  );
}
