import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { type HotkeySection, useHotkeySections, useHotkeys } from './hotkey-provider.tsx';
import styles from './hotkey-sheet.module.css';
import { KeyCaps } from './key-caps.tsx';

/** The sheet of all keys that work now; `?` opens it. */
export function useHotkeySheet(): { sheet: React.ReactNode; open: () => void } {
  const { keys } = useTexts().app;
  const readSections = useHotkeySections();
  const [sections, setSections] = useState<readonly HotkeySection[]>();
  const open = () => setSections(readSections());
  useHotkeys(keys.general, [{ keys: '?', label: keys.help, run: open }]);
  const sheet = (
    <Modal
      opened={sections !== undefined}
      onClose={() => setSections(undefined)}
      title={keys.title}
      size="lg"
    >
      <div className={styles.sections}>
        {grouped(sections ?? []).map(({ title, hotkeys }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.list}>
              {hotkeys.map((hotkey) => (
                <div key={hotkey.keys} className={styles.row}>
                  <dt>{hotkey.label}</dt>
                  <dd>
                    <KeyCaps keys={hotkey.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
  return { sheet, open };
}

/** Sections of one title together, with the keys that have a label. */
function grouped(sections: readonly HotkeySection[]): readonly HotkeySection[] {
  return [...Map.groupBy(sections, ({ title }) => title)]
    .map(([title, same]) => ({
      title,
      hotkeys: same.flatMap(({ hotkeys }) => hotkeys).filter(({ label }) => label !== undefined),
    }))
    .filter(({ hotkeys }) => hotkeys.length > 0);
}
