import { TextInput } from '@mantine/core';
import type { KeyboardEvent, RefObject } from 'react';
import { CameraButton } from '../../components/scanner/camera-scanner.tsx';
import { IconSearch } from '../../icons/icons.tsx';
import type { StockRow } from '../../stock/stock-row.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './finder.module.css';

interface Props {
  readonly words: string;
  readonly found: readonly StockRow[];
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onWords: (words: string) => void;
  readonly onPick: (row: StockRow) => void;
  readonly onCode: (code: string) => void;
}

/** Finds a pet by name, id or camera. Enter takes the first one that is found. */
export function PetFinder({ words, found, field, onWords, onPick, onCode }: Props) {
  const { count, shared } = useTexts();
  const onKeyDown = (event: KeyboardEvent) => {
    const [first] = found;
    if (event.key === 'Enter' && first) onPick(first);
    if (event.key === 'Escape') onWords('');
  };
  return (
    <search className={styles.finder}>
      <div className={styles.row}>
        <TextInput
          type="search"
          aria-label={count.find}
          placeholder={count.findHint}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          size="md"
          value={words}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          onChange={(event) => onWords(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          ref={field}
          className={styles.field}
        />
        <CameraButton onCode={onCode} />
      </div>
      {words.trim() !== '' && (
        <ul className={styles.found}>
          {found.map((row) => (
            <li key={row.petId}>
              <button type="button" className={styles.pet} onClick={() => onPick(row)}>
                <span className={styles.name}>{row.name ?? shared.unnamed(row.petId)}</span>
                <span className={`${styles.id} number`}>{row.petId}</span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className={styles.none}>{count.noMatch(words.trim())}</li>}
        </ul>
      )}
    </search>
  );
}
