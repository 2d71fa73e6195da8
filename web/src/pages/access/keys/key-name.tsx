import styles from './key-list.module.css';

/** The name of a key above the part of it that may be shown. */
export function KeyName({ name, hint }: { name: string | undefined; hint: string }) {
  return (
    <>
      {name !== undefined && <span className={styles.name}>{name}</span>}
      <span className={styles.sub}>{hint}</span>
    </>
  );
}
