import { Kbd } from '@mantine/core';
import { useTexts } from '../../texts/texts-context.tsx';
import { IS_MAC, keyCaps } from './hotkeys.ts';
import styles from './key-caps.module.css';

/** Shows keys, such as `g s` or `Mod+k`. */
export function KeyCaps({ keys }: { keys: string }) {
  const { next } = useTexts().app.keys;
  return (
    <span className={styles.keys}>
      {keyCaps(keys, IS_MAC).map((step, index) => (
        <span key={step.join()} className={styles.keys}>
          {index > 0 && <span className={styles.then}>{next}</span>}
          {step.map((cap) => (
            <Kbd key={cap}>{cap}</Kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
