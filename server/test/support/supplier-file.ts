import { readFileSync } from 'node:fs';
import { workbook } from './workbook.ts';

const GUIDE = new URL('../../../docs/operating.md', import.meta.url);

/** The file of a supplier in the guide, as its program writes it: in Windows-1252, with its line ends. */
export function supplierCsv(): Uint8Array<ArrayBuffer> {
  const [, text] =
    /^## A file of a supplier$[\s\S]*?^```text\n([\s\S]*?)^```$/m.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  if (text === undefined) throw new Error('The guide has no file of a supplier.');
  return Uint8Array.from(Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'));
}

/** The same list as a workbook with a title. */
export function supplierWorkbook(): Uint8Array<ArrayBuffer> {
  return workbook([
    {
      name: 'Bestand',
      rows: [
        ['Zoogroßhandel Müller & Söhne'],
        ['Bestandsliste vom', { xml: '<c s="1"><v>46327</v></c>' }],
        [],
        ['Artikelnummer', 'Bezeichnung', 'Warengruppe', 'Bestand', 'EAN', 'EK-Preis'],
        [2001, 'Napf "Rex", blau', 'Zubehör', 1200, 4006381002011, 12.99],
        [2002, 'Körbchen groß', 'Zubehör', 35, '4006381002028', 89],
        [2003, 'Häckselstreu 20 kg', 'Streu', 'k. A.', 4006381002035, 7.49],
        [2004, 'Bürste fein', 'Pflege', -3, 4006381002042, 4.95],
        [2005, 'Spielmaus', 'Spielzeug', 12, 4006381002095, 1.25],
        [2006, 'Müsli für Nager', 'Futter', { xml: '<c s="3"><f>SUM(E1:E2)</f><v>640</v></c>' }, '', 3.8],
      ],
    },
    { name: 'Hinweise', rows: [['Preise netto']] },
  ]);
}

/** What each pet has after the import of its good rows. */
export const SUPPLIED: readonly (readonly [sku: string, quantity: number, barcodes: string | null])[] = [
  ['2001', 1200, '["4006381002011"]'],
  ['2002', 35, '["4006381002028"]'],
  ['2006', 640, null],
];
/** The lines of its bad rows. */
export const BAD_LINES = [7, 8, 9];
