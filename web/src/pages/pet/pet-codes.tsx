import { useTexts } from '../../texts/texts-context.tsx';
import type { Pet } from './pet-api.ts';
import styles from './pet-codes.module.css';

/** SKU and barcodes, if there are any. */
export function PetCodes({ sku, barcodes }: Pick<Pet, 'sku' | 'barcodes'>) {
  const { pet, shared } = useTexts();
  if (sku === null && barcodes.length === 0) return null;
  return (
    <dl className={styles.codes} aria-label={pet.codes}>
      {sku !== null && (
        <div className={styles.kind}>
          <dt>{shared.fields.sku}</dt>
          <dd className={styles.code}>{sku}</dd>
        </div>
      )}
      {barcodes.length > 0 && (
        <div className={styles.kind}>
          <dt>{shared.fields.barcodes}</dt>
          {barcodes.map((barcode) => (
            <dd key={barcode} className={`${styles.code} number`}>
              {barcode}
            </dd>
          ))}
        </div>
      )}
    </dl>
  );
}
