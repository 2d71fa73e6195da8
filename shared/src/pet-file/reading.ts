import type { Decimal, Encoding } from '../words.ts';

/** How a file is read where it does not show that itself, as JSON keeps it. */
export interface Reading {
  /** What decides about numbers with two readings. Without it they are faults, unless other numbers prove it. */
  readonly decimal?: Decimal | undefined;
  readonly encoding?: Encoding | undefined;
  /** The sheet of a workbook, where several have pets. */
  readonly sheet?: string | undefined;
  /** Columns and members that are left out, without spaces at their ends. */
  readonly ignored?: readonly string[] | undefined;
}
