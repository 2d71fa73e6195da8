import { execFileSync } from 'node:child_process';

/**
 * Checks that a commit of the checkout contains the new version and nothing else, and that no release has it.
 * @throws Error that names what to do first.
 */
export function requireUnreleased(root: string, version: string): void {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no');
  if (changed !== '')
    throw new Error(`Commit your changes first, because the release is a commit:\n${changed}`);
  if (git('tag', '--list', `v${version}`) !== '')
    throw new Error(`The tag v${version} exists already: choose a higher version.`);
}
