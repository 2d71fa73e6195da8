const UNRELEASED = '## Unreleased\n';

/**
 * Names the unreleased changes with a version, and begins a new section.
 * @throws Error when there are none.
 */
export function closeUnreleased(changelog: string, version: string, day: string): string {
  if (sectionOf(changelog, 'Unreleased') === '') {
    throw new Error('CHANGELOG.md has no unreleased changes; describe them below "## Unreleased" first.');
  }
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${day}\n`);
}

/** The text of a version, without its heading. @throws Error when it has none. */
export function releaseNotes(changelog: string, version: string): string {
  const notes = sectionOf(changelog, version);
  if (notes === '')
    throw new Error(`CHANGELOG.md has no section "## ${version}"; npm run release:version makes it.`);
  return notes;
}

/** Of a heading `## NAME` or `## NAME - DAY`; empty when there is none. */
function sectionOf(changelog: string, name: string): string {
  const section = changelog.split(/^## /m).find((text) => /^[^\s]+/.exec(text)?.[0] === name);
  return section?.slice(section.indexOf('\n')).trim() ?? '';
}
