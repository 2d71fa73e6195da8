import type { Page } from 'playwright-core';

/** What a page measures in one window, in CSS pixels. */
export interface Measures {
  /** The left edges of the title, of the blocks below it, and of what tables begin with. */
  readonly lefts: Readonly<Record<string, number>>;
  /** The right edges of the header and of the body below it; `undefined` for a page that fills the window. */
  readonly rights: readonly [header: number, body: number] | undefined;
  readonly headerHeight: number;
  readonly hasParent: boolean;
  /** Heights of the controls outside of tables. */
  readonly controls: readonly number[];
  /** The differences between the tops of labels that are in one row. */
  readonly labelSteps: readonly number[];
  readonly tabs: readonly number[];
  readonly tableHeads: readonly number[];
  /** Heights of rows that have one line. */
  readonly rows: readonly number[];
  /** Elements that are wider than the page, and texts that end without an ellipsis. */
  readonly faults: readonly string[];
  /** Each column's width, and its cells whose text is cut or has several lines. */
  readonly columns: Readonly<Record<string, { readonly width: number; readonly tight: number }>>;
}

/** Runs in the page. */
const MEASURE = `(() => {
  const main = document.querySelector('main');
  const box = (element) => element.getBoundingClientRect();
  const isShown = (element) => { const { width, height } = box(element); return width > 1 && height > 1; };
  const all = (selector, from = main) => [...from.querySelectorAll(selector)].filter(isShown);
  const short = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40);
  const textBoxes = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  };
  // The table behind a chart, and that of a panel.
  const INSET = '[class*="_box_"], [class*="_panel_"]';
  const round = (value) => Math.round(value * 2) / 2;

  const title = main.querySelector('h1');
  const header = title.closest('header');
  const body = main.querySelector('[data-page-body]');
  const lefts = { title: round(box(title).left) };
  for (const [index, child] of [...(body?.children ?? [])].entries())
    if (isShown(child) && !child.matches('.visually-hidden')) lefts['block ' + index] = round(box(child).left);
  for (const table of all('table, [role="grid"]')) {
    const cell = table.querySelector('tbody tr > :first-child, [role="row"] > [role="gridcell"]');
    if (!cell || !isShown(cell) || cell.closest(INSET)) continue;
    const left = Math.min(...textBoxes(cell).map(({ left }) => left), ...all('input, svg', cell).map((part) => box(part).left));
    if (Number.isFinite(left)) lefts['table ' + short(table)] = round(left);
  }
  const contentRight = (element) => box(element).right - parseFloat(getComputedStyle(element).paddingRight);

  const labels = all('.mantine-InputWrapper-label, [class*="_field_"] > [class*="_label_"]').map((label) => box(label).top);
  const labelSteps = labels.toSorted((a, b) => a - b).map((top, i, sorted) => (i === 0 ? 0 : round(top - sorted[i - 1]))).filter((step) => step > 0 && step < 24);
  const controls = all('.mantine-Input-input, .mantine-Button-root, [class*="_field_"] > .mantine-SegmentedControl-root')
    .filter((control) => !control.closest('table, [role="grid"], [data-size^="compact"]') && control.tagName !== 'TEXTAREA')
    .map((control) => round(box(control).height));

  const linesOf = (cell) => {
    const tops = textBoxes(cell).map(({ top }) => top).toSorted((a, b) => a - b);
    return tops.filter((top, i) => i === 0 || top - tops[i - 1] > 8).length;
  };
  const isCut = (element) => [element, ...element.querySelectorAll('*')].some((part) =>
    part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1 && getComputedStyle(part).textOverflow === 'ellipsis');
  const columns = {};
  const rows = [];
  for (const table of all('table, [role="grid"]')) {
    const heads = [...table.querySelectorAll('thead th, [role="columnheader"]')];
    const records = [...table.querySelectorAll('tbody tr, [role="row"]:has([role="gridcell"])')].slice(0, 30).filter(isShown);
    for (const record of records) {
      const cells = [...record.children].filter(isShown);
      if (cells.every((cell) => linesOf(cell) <= 1)) rows.push(round(box(record).height));
    }
    for (const [index, head] of heads.entries()) {
      if (!isShown(head)) continue;
      const cells = records.map((record) => record.children[index]).filter(Boolean);
      const tight = cells.filter((cell) => linesOf(cell) > 1 || isCut(cell)).length;
      columns[short(table) + ': ' + short(head)] = { width: round(box(head).width), tight };
    }
  }

  const faults = [];
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) faults.push('the window scrolls sideways, ' + page.scrollWidth + ' px');
  if (main.scrollWidth > main.clientWidth) faults.push('the page scrolls sideways, ' + main.scrollWidth + ' px');
  for (const element of main.querySelectorAll('*')) {
    if (element.clientWidth <= 1 || !isShown(element) || element.closest('svg, .visually-hidden')) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!hasText) continue;
    const isClamped = style.webkitLineClamp !== 'none';
    if (/hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1 && style.textOverflow !== 'ellipsis' && !isClamped)
      faults.push('cut: ' + short(element));
    const cell = element.closest('td, th');
    if (!cell || style.overflowX !== 'visible' || element.closest('[class*="_box_"]')) continue;
    const right = Math.max(...textBoxes(element).map((text) => text.right));
    const holder = element.closest('[style*="overflow"]') ?? cell;
    const hides = (() => { for (let up = element; up !== cell; up = up.parentElement) if (getComputedStyle(up).overflowX !== 'visible') return true; return getComputedStyle(cell).overflowX !== 'visible'; })();
    if (!hides && right > box(holder).right + 1) faults.push('beyond its cell: ' + short(element));
  }

  return {
    lefts, labelSteps, controls, columns, rows, faults,
    rights: body ? [round(contentRight(header)), round(contentRight(body))] : undefined,
    headerHeight: round(box(header).height),
    hasParent: header.querySelector('a') !== null,
    tabs: all('nav a').map((tab) => round(box(tab).height)),
    tableHeads: all('thead tr, [role="row"]:has(> [role="columnheader"])').filter((head) => !head.closest(INSET)).map((head) => round(box(head).height)),
  };
})()`;

export const measure = (page: Page): Promise<Measures> => page.evaluate<Measures>(MEASURE);

/** Runs in the page. */
const HAS_ROOM = `(selector) => {
  const field = document.querySelector(selector);
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = font;
  const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return canvas.measureText(field.placeholder).width <= room;
}`;

/** Whether the field has room for its placeholder, beside its picture and its key. */
export const hasWholePlaceholder = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`(${HAS_ROOM})(${JSON.stringify(selector)})`);
