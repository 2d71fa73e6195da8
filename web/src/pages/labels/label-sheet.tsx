import type { StockRow } from '../../stock/stock-row.ts';
import { useTexts } from '../../texts/texts-context.tsx';
import { drawCode } from './draw-code.ts';
import { type LabelKind, labelCodeOf } from './label-code.ts';
import styles from './labels.module.css';

interface Props {
  readonly rows: readonly StockRow[];
  readonly kind: LabelKind;
}

/** Labels as they are printed: name, code, and the text of the code. */
export default function LabelSheet({ rows, kind }: Props) {
  const { labels, shared } = useTexts();
  return (
    <ul className={styles.sheet} aria-label={labels.sheet}>
      {rows.map((row) => {
        const code = labelCodeOf(row, kind);
        const { path, viewBox, isSquare } = drawCode(code);
        return (
          <li key={row.petId} className={styles.label} data-square={isSquare || undefined}>
            <span className={styles.name}>{row.name ?? shared.unnamed(row.petId)}</span>
            <svg
              role="img"
              aria-label={labels.code(code.text)}
              className={styles.code}
              viewBox={viewBox}
              preserveAspectRatio={isSquare ? 'xMidYMid' : 'none'}
              shapeRendering="crispEdges"
            >
              <path d={path} fillRule="evenodd" />
            </svg>
            <span className={`${styles.text} number`}>{code.text}</span>
          </li>
        );
      })}
    </ul>
  );
}
