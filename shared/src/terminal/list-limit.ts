import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseWholeNumber } from '../numeral.ts';

const DEFAULT_LIMIT = 20;

export interface LimitOptions {
  readonly limit: number;
  readonly all?: true;
}

/** Adds how much of a list a command shows. @param things Their name in the help, such as `orders`. */
export function withLimit(command: Command, things: string): Command {
  return command
    .option('--limit <n>', `at most this many ${things}`, parseLimit, DEFAULT_LIMIT)
    .addOption(new Option('--all', `all ${things}`).conflicts('limit'));
}

/** The most rows that a command shows. One more is still a safe integer. */
export function mostOf({ limit, all }: LimitOptions): number {
  return all ? Number.MAX_SAFE_INTEGER - 1 : limit;
}

/** The sentence below a list that is a part, and nothing below a whole one. */
export function moreOf(hasMore: boolean, things: string): { more?: string } {
  return hasMore ? { more: `There are more ${things}; --limit shows more of them, --all shows all.` } : {};
}

/** Reads the value of `--limit`, for both command lines. */
export function parseLimit(text: string): number {
  const limit = parseWholeNumber(text);
  // Commands read one entry above the limit, so that number must be exact too.
  if (limit && limit < Number.MAX_SAFE_INTEGER) return limit;
  throw new InvalidArgumentError('Give a whole number, 1 or more.');
}
