import { ActionIcon, CloseButton, TextInput } from '@mantine/core';
import { MAX_BARCODES, MAX_SKU } from '@petstore-inventory/shared/limits';
import { type KeyboardEvent, useId, useState } from 'react';
import { IconPlus } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { atMost } from '../at-most.ts';
import { allBarcodes, barcodesOf, type CodeValues, linesOf } from './code-values.ts';
import styles from './codes-fields.module.css';
import { useBarcodeFault } from './use-barcode-fault.ts';

interface Props {
  readonly values: CodeValues;
  readonly onChange: (changed: Partial<CodeValues>) => void;
  /** What a field shows below its label. */
  readonly descriptions?: Partial<Record<'sku' | 'barcodes', string | undefined>>;
}

/** SKU and barcodes of a pet. Enter, which a hand scanner sends too, adds a barcode to the list. */
export function CodesFields({ values, onChange, descriptions = {} }: Props) {
  const { fields, codes } = useTexts().shared;
  const { quantity } = useFormat();
  const listId = useId();
  const [isTyping, setTyping] = useState(false);
  const fault = useBarcodeFault()(values);
  const barcodes = barcodesOf(values.barcodes);
  const add = () => {
    setTyping(false);
    if (fault === undefined) onChange({ barcodes: linesOf(allBarcodes(values)), barcode: '' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || values.barcode.trim() === '') return;
    event.preventDefault();
    add();
  };
  const remove = (barcode: string) =>
    onChange({ barcodes: linesOf(barcodes.filter((other) => other !== barcode)) });
  return (
    <>
      <TextInput
        label={fields.sku}
        description={descriptions.sku}
        value={values.sku}
        onChange={(event) => onChange({ sku: event.currentTarget.value })}
        {...atMost(MAX_SKU)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={styles.barcodes}>
        {barcodes.length < MAX_BARCODES ? (
          <div className={styles.row}>
            <TextInput
              label={fields.barcodes}
              description={descriptions.barcodes}
              placeholder={codes.placeholder}
              value={values.barcode}
              // Half a code is no mistake yet.
              error={!isTyping && fault}
              onChange={(event) => {
                setTyping(true);
                onChange({ barcode: event.currentTarget.value });
              }}
              onBlur={() => setTyping(false)}
              onKeyDown={onKeyDown}
              aria-controls={listId}
              autoComplete="off"
              spellCheck={false}
              className={styles.field}
            />
            <ActionIcon
              variant="default"
              size={36}
              className={styles.add}
              disabled={values.barcode.trim() === ''}
              aria-label={codes.addBarcode}
              title={codes.addBarcode}
              onClick={add}
            >
              <IconPlus size={18} stroke={1.75} />
            </ActionIcon>
          </div>
        ) : (
          <p className={styles.hint}>{codes.full(quantity(MAX_BARCODES))}</p>
        )}
        <ul id={listId} className={styles.list} aria-label={fields.barcodes}>
          {barcodes.map((barcode) => (
            <li key={barcode} className={styles.code}>
              <span className="number">{barcode}</span>
              <CloseButton
                size="sm"
                onClick={() => remove(barcode)}
                attributes={{ root: { 'aria-label': codes.remove(barcode) } }}
              />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
