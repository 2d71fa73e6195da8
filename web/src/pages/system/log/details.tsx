import styles from './log.module.css';

const MAX_CHARACTERS = 160;

/** The values of an action, in one line; all of them on hover. */
export function Details({ details }: { details: Readonly<Record<string, unknown>> }) {
  const text = Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return (
    <span className={styles.details} title={shown === text ? undefined : text}>
      {shown}
    </span>
  );
}
