import { Breakable } from './breakable.tsx';
import { CopyButton } from '../secrets/copy-button.tsx';
import styles from './identifier.module.css';

/** An id of the service, with a button that copies it. */
export function Identifier({ id, label }: { id: string; label: string }) {
  return (
    <span className={styles.identifier}>
      <code className={styles.code}>
        <Breakable text={id} />
      </code>
      <CopyButton text={id} label={label} />
    </span>
  );
}

/** Text that is read by characters, such as a scope or the end of a key. */
export function Code({ children }: { children: string }) {
  return <code className={styles.code}>{children}</code>;
}
