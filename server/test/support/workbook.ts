import { strToU8, type Zippable, zipSync } from 'fflate';

/** A value, or the XML of a cell without its place, such as `<c t="e"><v>#N/A</v></c>`. */
export type BuiltCell = string | number | null | { readonly xml: string };

export interface BuiltSheet {
  readonly name: string;
  readonly rows: readonly (readonly BuiltCell[])[];
  readonly isHidden?: boolean;
}

interface Options {
  /** Texts are in the table of texts, as Excel writes them, or in the cells. */
  readonly isInline?: boolean;
  readonly is1904?: boolean;
  /** Other files of the archive. */
  readonly extra?: Readonly<Record<string, string>>;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The formats of the cells: general, a date, an own format of a date, and one with a unit. */
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd&quot;.&quot;mm/yyyy"/><numFmt numFmtId="165" formatCode="#,##0 &quot;Stück dabei&quot;;[Red]\\-0"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;

/** An .xlsx workbook as Excel writes it: the sheets before the texts that they refer to. */
export function workbook(
  sheets: readonly BuiltSheet[],
  { isInline = false, is1904 = false, extra = {} }: Options = {},
): Uint8Array<ArrayBuffer> {
  const texts: string[] = [];
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(({ name, isHidden }, i) => {
        const state = isHidden ? ' state="hidden"' : '';
        return `<sheet name="${escaped(name)}" sheetId="${i + 1}"${state} r:id="rId${i + 1}"/>`;
      })
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_, i): [string, string] => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
      ['styles', 'styles.xml'],
      ['sharedStrings', '/xl/sharedStrings.xml'],
    ]),
    ...Object.fromEntries(
      sheets.map(({ rows }, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheetXml(rows, texts, isInline)]),
    ),
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ...extra,
  };
  return archive(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        name.endsWith('.xml') || name.endsWith('.rels') ? XML + text : text,
      ]),
    ),
  );
}

/** A zip archive of texts. */
export function archive(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const packed: Zippable = {};
  for (const [name, text] of Object.entries(files)) packed[name] = strToU8(text);
  return Uint8Array.from(zipSync(packed));
}

function sheetXml(rows: BuiltSheet['rows'], texts: string[], isInline: boolean): string {
  const row = (cells: readonly BuiltCell[], i: number) =>
    `<row r="${i + 1}" spans="1:9">${cells.map((cell, column) => cellXml(cell, `${letter(column)}${i + 1}`, texts, isInline)).join('')}</row>`;
  return `<worksheet xmlns="${MAIN}"><dimension ref="A1"/><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`;
}

function cellXml(cell: BuiltCell, place: string, texts: string[], isInline: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${place}"`);
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (isInline) return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  return `<c r="${place}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}">${all.join('')}</Relationships>`;
}

function letter(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : letter(Math.floor(column / 26) - 1) + letter(column % 26);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
