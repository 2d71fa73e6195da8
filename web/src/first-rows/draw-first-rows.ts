import navigation from '../app/shell/navigation.module.css';
import shell from '../app/shell/shell.module.css';
import topBar from '../app/shell/top-bar.module.css';
import type { ManagedPet } from '../api/schemas.ts';
import header from '../components/page/page-header.module.css';
import values from '../components/values.module.css';
import table from '../pages/stock/table/stock-table.module.css';
import toolbar from '../pages/stock/toolbar/stock-toolbar.module.css';
import { FIRST_WORDS } from '../texts/first-words.ts';
import { createFormat, type Format } from '../texts/format.ts';
import { type Language, localeOf } from '../texts/preferred-language.ts';
import { element } from './element.ts';
import { FIRST_ROWS } from './end-first-rows.ts';
import own from './first-rows.module.css';

type Words = (typeof FIRST_WORDS)[Language];

const COLUMNS = [
  ['petId', 'id'],
  ['name', 'name'],
  ['sku', 'sku'],
  ['category', 'category'],
  ['status', 'status'],
  ['alert', 'alert'],
  ['reserved', 'reserved'],
  ['available', 'available'],
  ['quantity', 'quantity'],
  ['changed', 'changed'],
] as const satisfies readonly (readonly [keyof Words['fields'], keyof typeof table])[];
const RIGHT: readonly string[] = ['reserved', 'available', 'quantity', 'changed'];

/** The stock page as the service's first pets make it, without anything to press: the code for that is on its way. */
export function drawFirstRows(pets: readonly ManagedPet[], language: Language): HTMLElement {
  const words = FIRST_WORDS[language];
  const format = createFormat(localeOf(language), words.now);
  const hasSkus = pets.some(({ sku }) => sku !== null);
  const head = COLUMNS.map(([column, name]) =>
    element('div', table[name] ?? '', [
      element('span', table.sort ?? '', words.fields[column], {
        'data-right': RIGHT.includes(column) ? 'true' : undefined,
      }),
    ]),
  );
  const rows = pets.map((pet) => row(pet, words, format));
  for (const [at, each] of rows.entries())
    each.style.transform = `translateY(calc(${at} * var(--row-height)))`;
  const grid = element(
    'div',
    table.grid ?? '',
    [
      element('div', table.header ?? '', [element('div', table.check ?? ''), ...head]),
      element('div', table.body ?? '', rows),
    ],
    { 'data-skus': hasSkus ? 'true' : undefined },
  );
  const title = element('div', header.words ?? '', [
    element('div', header.title ?? '', words.stock),
    element('div', header.facts ?? '', words.loading),
  ]);
  const side = element('div', shell.side ?? '', [
    element('div', topBar.bar ?? ''),
    element('div', shell.content ?? '', [
      element('div', header.header ?? '', [title]),
      element('div', toolbar.toolbar ?? '', [element('div', own.tools ?? '')]),
      grid,
    ]),
  ]);
  const isPhone = matchMedia('(max-width: 640px)').matches;
  const places = isPhone
    ? element('div', `${navigation.bar} ${own.bottom}`)
    : element('div', navigation.navigation ?? '');
  const view = element('div', own.view ?? '', [element('div', shell.shell ?? '', [places, side])], {
    id: FIRST_ROWS,
    // A reader begins with the page that can be used, not with one that is replaced.
    'aria-hidden': 'true',
  });
  view.inert = true;
  return view;
}

function row(pet: ManagedPet, words: Words, format: Format): HTMLElement {
  const { petId, sku, category, status, alertLevel, reserved, available, quantity } = pet;
  const name = pet.name ?? words.unnamed(petId);
  const below = [sku, category ?? words.noCategory, words.status[status]].filter((text) => text !== null);
  const number = (column: keyof typeof table, value: number) =>
    element('div', `${table[column]} number`, format.quantity(value), {
      'data-zero': value === 0 ? 'true' : undefined,
    });
  return element(
    'div',
    table.row ?? '',
    [
      element('div', table.check ?? ''),
      element('div', `${table.id} number`, petId),
      element('div', table.name ?? '', [
        element('span', table.link ?? '', name),
        element('span', table.below ?? '', below.join(' · ')),
      ]),
      element('div', table.sku ?? '', sku ?? ''),
      element('div', table.category ?? '', category ?? ''),
      element('div', table.status ?? '', [badge(words.status[status])]),
      element('div', table.alert ?? '', alertLevel === null ? [] : [badge(words.alert[alertLevel])]),
      number('reserved', reserved),
      number('available', available),
      element('div', table.quantity ?? '', [
        element('span', `${own.quantity} number`, format.quantity(quantity)),
      ]),
      element('div', table.changed ?? '', format.relative(new Date(pet.updatedAt))),
    ],
    { 'data-first-row': petId },
  );
}

/** A state as its word; its shape comes with the page. */
function badge(word: string): HTMLElement {
  const made = element('span', values.badge ?? '', word);
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  shape.setAttribute('width', '10');
  shape.setAttribute('height', '10');
  made.prepend(shape);
  return made;
}
