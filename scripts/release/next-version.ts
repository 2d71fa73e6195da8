/** Of semantic versioning, with less: no capitals, no hyphens in labels and no build metadata. */
const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const LABEL = String.raw`(?:${NUMBER}|\d*[a-z][0-9a-z]*)`;
const VERSION = new RegExp(String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(?:-${LABEL}(?:\.${LABEL})*)?$`);
/** Compares the digits of two versions, or of two labels, as numbers. */
const compareParts = new Intl.Collator('en', { numeric: true }).compare;

/**
 * @param words A version, or which part of the present one increases. A pre-release becomes its version.
 * @throws Error for a version that is not higher, and for more than one word.
 */
export function nextVersion(present: string, ...words: readonly string[]): string {
  const wanted = words.join(' ');
  if (VERSION.test(wanted)) {
    if (isHigher(wanted, present)) return wanted;
    throw new Error(`${wanted} is not higher than the present version, ${present}.`);
  }
  const [numbers = '', label] = split(present);
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number);
  const isBefore = label !== undefined;
  if (wanted === 'major') return `${isBefore && minor === 0 && patch === 0 ? major : major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${isBefore && patch === 0 ? minor : minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${isBefore ? patch : patch + 1}`;
  throw new Error(`Name a version such as 1.2.3, or major, minor or patch; not ${wanted || 'nothing'}.`);
}

function isHigher(one: string, other: string): boolean {
  const [numbers = '', label] = split(one);
  const [otherNumbers = '', otherLabel] = split(other);
  const byNumbers = compareParts(numbers, otherNumbers);
  if (byNumbers !== 0 || label === otherLabel) return byNumbers > 0;
  // A version is higher than its pre-releases.
  if (label === undefined || otherLabel === undefined) return label === undefined;
  return compareParts(label, otherLabel) > 0;
}

/** The numbers of a version, and the label of a pre-release. */
function split(version: string): readonly string[] {
  return version.split('-', 2);
}
