import { isRecord } from '@petstore-inventory/shared/is-record';
import type { ActivityAction } from '@petstore-inventory/shared/words';
import type { ActivityEntry } from '../../../api/schemas.ts';
import { authorName } from '../../../components/movements/movement-facts.ts';
import type { Texts } from '../../../texts/en.ts';
import type { Format } from '../../../texts/format.ts';
import { changedFields } from './changed-fields.ts';
import type { Part } from './part.ts';

interface Words {
  readonly texts: Texts;
  readonly format: Format;
  /** Names by petId, as far as they are known. */
  readonly petNames: ReadonlyMap<string, string>;
  /** Names of stock-takes by their ids: a line about a count has only the id. */
  readonly stocktakeNames?: ReadonlyMap<string, string> | undefined;
}

type Values = Readonly<Record<string, readonly Part[] | undefined>>;

/** What a line of the activity log says. */
export function sentenceOf(entry: ActivityEntry, words: Words): readonly Part[] {
  const { sentences, unknown } = words.texts.log;
  const template = Object.hasOwn(sentences, entry.action)
    ? sentences[entry.action as ActivityAction]
    : unknown;
  return filled(template, valuesOf(entry, words));
}

/** The petIds that the sentence of a line names. */
export function petIdsOf({ action, target, details }: ActivityEntry): readonly string[] {
  const named = PET_GROUPS.has(groupOf(action)) && target !== null ? [target] : [];
  const counted = details.petId === undefined ? [] : [String(details.petId)];
  return [...named, ...counted, ...linesOf(details).map(({ petId }) => petId)];
}

const PLACE = /\{(\w+)\}/;
const GROUP = /\[([^\]]*)\]/;

function filled(template: string, values: Values): readonly Part[] {
  // `split` with a group returns what is between brackets at odd places.
  return template.split(GROUP).flatMap((piece, at) => {
    if (at % 2 === 0) return places(piece, values, NONE) ?? [];
    for (const alternative of piece.split('|')) {
      const found = places(alternative, values);
      if (found) return found;
    }
    return [];
  });
}

/** A sentence needs the value, and its line has none. */
const NONE: readonly Part[] = [{ text: '–' }];

/** The parts of a text with places; `undefined` if a value is missing, and nothing replaces it. */
function places(text: string, values: Values, missing?: readonly Part[]): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (const [at, piece] of text.split(PLACE).entries()) {
    const found = at % 2 === 0 ? [{ text: piece }] : (values[piece] ?? missing);
    if (!found) return undefined;
    parts.push(...found);
  }
  return parts.filter((part) => part.text !== '');
}

/** The pages of what actions change, by their groups. */
const PAGES: Readonly<Record<string, string>> = {
  pets: '/pets/',
  inventory: '/pets/',
  reorders: '/pets/',
  orders: '/orders/',
  accounts: '/access/accounts/',
  keys: '/access/keys/',
  'admin-keys': '/access/management-keys/',
  'sign-in-codes': '/access/management-keys/',
  imports: '/imports/',
  stocktakes: '/stocktakes/',
  webhooks: '/webhooks/',
};
const PET_GROUPS: ReadonlySet<string> = new Set(['pets', 'inventory', 'reorders']);
/** Members of the details that name what was changed, the best one first. */
const NAMES = ['name', 'fileName', 'description', 'url'];

const groupOf = (action: string): string => action.split('.', 1)[0] ?? '';

function valuesOf(entry: ActivityEntry, words: Words): Values {
  const { texts, format, petNames } = words;
  const { actor, action, details } = entry;
  const number = (name: string): readonly Part[] | undefined => {
    const value = details[name];
    return typeof value === 'number' ? [valuePart(format.quantity(value))] : undefined;
  };
  const text = (name: string) => (typeof details[name] === 'string' ? (details[name] as string) : undefined);
  const petPart = (petId: string): Part =>
    valuePart(petNames.get(petId) ?? texts.shared.unnamed(petId), `/pets/${petId}`);
  const lines = linesOf(details).map(({ petId, quantity }) => [
    // A line does not end between the two.
    { text: `${format.quantity(quantity)}\u00A0× ` },
    petPart(petId),
  ]);
  const counts = Object.values(isRecord(details.pets) ? details.pets : {}).filter(Number.isSafeInteger);
  const petCount = (counts as number[]).reduce((sum, count) => sum + count, 0);
  const { changes, delta } = details;
  const until = dateOf(text('expiresAt'));
  const expected = dateOf(text('expectedOn'));
  return {
    who: [
      valuePart(
        authorName(actor, texts),
        `/system/log?actor=${encodeURIComponent(actor.keyId ?? actor.name)}`,
      ),
    ],
    what: whatOf(entry, words, petPart),
    action: [valuePart(action)],
    plan: named(texts.access.accounts.plans, text('plan')),
    role: named(texts.app.roles, text('role')),
    status: named(texts.shared.status, text('status')),
    until: until && [valuePart(format.dateTime(until))],
    expected: expected && [valuePart(format.date(expected))],
    delta: typeof delta === 'number' ? [valuePart(format.change(delta))] : undefined,
    changes: typeof changes === 'number' ? [valuePart(texts.shared.pets(format.count(changes)))] : undefined,
    pets: petCount === 0 ? undefined : [valuePart(texts.log.ofPets(format.count(petCount)))],
    quantity: number('quantity'),
    low: number('lowStockAt'),
    restock: number('restockAt'),
    ordered: number('ordered'),
    counted: number('counted'),
    created: number('created'),
    changed: number('changed'),
    new: number('new'),
    deleted: number('deleted'),
    pet: details.petId === undefined ? undefined : [petPart(String(details.petId))],
    event: text('eventId') === undefined ? undefined : [valuePart(text('eventId') ?? '')],
    lines: listed(lines, format),
    fields: listed(changedFields(entry, texts, format), format),
  };
}

/** What was changed, with the link to its page; `undefined`: the shop. */
function whatOf(
  { action, target, details }: ActivityEntry,
  { texts, stocktakeNames }: Words,
  petPart: (petId: string) => Part,
): readonly Part[] | undefined {
  if (target === null) return undefined;
  const group = groupOf(action);
  const page = action.endsWith('.delete') ? undefined : PAGES[group];
  const href = page === undefined ? undefined : page + encodeURIComponent(target);
  if (PET_GROUPS.has(group)) {
    const { text } = petPart(target);
    // The name of a deleted pet is only in its line.
    return [valuePart(typeof details.name === 'string' && href === undefined ? details.name : text, href)];
  }
  if (group === 'orders') return [valuePart(texts.movements.order(target), href)];
  const name = NAMES.map((member) => details[member]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return [valuePart(typeof name === 'string' ? name : (stocktakeNames?.get(target) ?? target), href)];
}

const valuePart = (text: string, href?: string): Part => ({
  text,
  isValue: true,
  ...(href !== undefined && { href }),
});

function named(names: Readonly<Record<string, string>>, value: string | undefined) {
  if (value === undefined) return undefined;
  return [valuePart((Object.hasOwn(names, value) ? names[value] : undefined) ?? value)];
}

/** Joins items as the language does: "a, b and c". */
function listed(items: readonly (readonly Part[])[], { locale }: Format): readonly Part[] | undefined {
  if (items.length === 0) return undefined;
  const keys = items.map((_, at) => String(at));
  return new Intl.ListFormat(locale, { type: 'conjunction' })
    .formatToParts(keys)
    .flatMap(({ type, value }) => (type === 'element' ? (items[Number(value)] ?? []) : [{ text: value }]));
}

interface Line {
  readonly petId: string;
  readonly quantity: number;
}

/** The lines of an order; none if the details have others. */
function linesOf({ lines }: ActivityEntry['details']): readonly Line[] {
  if (!Array.isArray(lines)) return [];
  return (lines as readonly unknown[]).flatMap((line) => {
    const { petId, quantity } = isRecord(line) ? line : {};
    const isPet = typeof petId === 'string' || typeof petId === 'number';
    return isPet && typeof quantity === 'number' ? [{ petId: String(petId), quantity }] : [];
  });
}

function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
