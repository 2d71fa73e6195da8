import { headingKey, isPetField, PET_FIELDS, type PetField } from './headings.ts';
import { importProblem } from './import-problems.ts';
import type { PetRows } from './rows.ts';
import { NumberSource, shown, type UncheckedPet } from './values.ts';

/**
 * What a JavaScript number can lose: the sign of -0, a fraction, an exponent, or digits beyond the 15th. Such text
 * is read with the source of its numbers, which takes twice as long.
 */
const MAY_LOSE_DIGITS = /-0|\d[.eE]|\d{16}/;

/** Node 20, which runs the command line of clients, shows a reviver no text of numbers. */
const HAS_SOURCE = JSON.parse('0', (_name, _value, context?: { source?: string }) => context?.source === '0');
/** A string or a number, as a whole, so that each character is read once. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;
/** The name of the only member of an object that holds the text of a number. */
const SOURCE_MEMBER = '\0';

/** Checks one JSON value as a pet. Returns `false` if it is not JSON. */
export function addPet(source: string, rows: PetRows): boolean {
  let value: unknown;
  try {
    value = MAY_LOSE_DIGITS.test(source) ? parseWithSource(source) : JSON.parse(source);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof NumberSource) {
    rows.fault(null, importProblem('not_an_object', { value: shown(value) }));
    return true;
  }
  const members = Object.keys(value);
  for (const name of members) {
    const mapped = rows.map.get(headingKey(name))?.field;
    if (rows.ignores(name)) delete (value as UncheckedPet)[name as PetField];
    else if (mapped && mapped !== name) renameMember(value, name, mapped, rows);
    else if (!isPetField(name))
      rows.fault(
        null,
        importProblem('unknown_member', { member: shown(name), allowed: PET_FIELDS.join(', ') }),
      );
  }
  // Each member has a colon of its own, so that as many colons as members rule out a repeated one.
  if (source.split(':').length - 1 !== members.length && isFlat(value)) {
    const repeated = repeatedMember(source);
    if (repeated !== undefined) rows.fault(repeated, importProblem('repeated_member'));
  }
  rows.add(value);
  return true;
}

/** Gives a member that a mapping names the name of its field. */
function renameMember(value: object, name: string, field: PetField, rows: PetRows): void {
  const members = value as Record<string, unknown>;
  if (Object.hasOwn(members, field)) rows.fault(field, importProblem('repeated_member'));
  members[field] = members[name];
  delete members[name];
}

/** Whether no member is an object or an array. */
function isFlat(value: object): boolean {
  return Object.values(value).every(
    (member) => typeof member !== 'object' || member === null || member instanceof NumberSource,
  );
}

/** Parses JSON whose numbers become their texts. @param hasSource Tests replace what the runtime has. */
export function parseWithSource(json: string, hasSource = HAS_SOURCE): unknown {
  if (hasSource) return JSON.parse(json, keepNumberSource);
  const marked = json.replace(TOKEN, (token) =>
    token.startsWith('"') ? token : JSON.stringify({ [SOURCE_MEMBER]: token }),
  );
  return JSON.parse(marked, (_name, value: unknown) => {
    const isSource = typeof value === 'object' && value !== null && SOURCE_MEMBER in value;
    return isSource ? new NumberSource(String(value[SOURCE_MEMBER])) : value;
  });
}

function keepNumberSource(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? new NumberSource(context?.source ?? 'NaN') : value;
}

/** The repeated field of a flat JSON object: `JSON.parse` keeps the last one without an error. */
function repeatedMember(source: string): PetField | undefined {
  const names = new Set<PetField>();
  for (const [, literal, colon] of source.matchAll(/[^"]*("(?:[^"\\]|\\.)*")\s*(:)?/gy)) {
    if (literal === undefined || colon === undefined) continue;
    const name = String(JSON.parse(literal));
    // Another member has an error already, which shows its name safely, or is ignored.
    if (!isPetField(name)) continue;
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}
