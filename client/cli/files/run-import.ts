import type { Command } from 'commander';
import { isConfirmed } from '../../../server/src/cli/terminal/confirm.ts';
import { type Progress, withProgress } from '../../../server/src/cli/terminal/progress.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, FailedResult, Interruption, reportOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { type ExplanationOptions, explanationOf } from '../stock/change-options.ts';
import { count, readableTime, thousands } from '../terminal/texts.ts';
import { applyChunks } from './apply.ts';
import { type ImportIdentity, Journal } from './journal.ts';
import { chunkSize, makePlan, type Plan } from './plan.ts';
import { describePlan, describeRefused, planJson, refusedFileOf, writeRefused } from './report.ts';
import type { FileRows } from './rows.ts';

export interface ImportOptions extends ExplanationOptions {
  readonly add?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly fresh?: true;
  readonly failed?: string;
  readonly json?: true;
}

/** One import: plan, preview, question, changes. */
export class Import {
  readonly #run: Run;
  readonly #file: string;
  readonly #options: ImportOptions;
  readonly #rows: FileRows;
  readonly #command: Command;

  constructor(run: Run, file: string, options: ImportOptions, rows: FileRows, command: Command) {
    this.#run = run;
    this.#file = file;
    this.#options = options;
    this.#rows = rows;
    this.#command = command;
  }

  async run(): Promise<void> {
    const { context, url } = this.#run;
    const { ignored, digest } = this.#rows;
    if (ignored.length > 0)
      this.#note(`Ignored, because an API key cannot change them: ${ignored.join(', ')}.`);
    const identity: ImportIdentity = { url, digest, isAdding: this.#options.add === true };
    if (this.#options.fresh) Journal.forget(context, identity);
    const unfinished = this.#options.dryRun ? undefined : Journal.find(context, identity);
    if (unfinished) return this.#continue(unfinished);
    await this.#begin(identity);
  }

  async #begin(identity: ImportIdentity): Promise<void> {
    const { context, printer } = this.#run;
    const { dryRun, json } = this.#options;
    const plan = await this.#withProgress((progress) =>
      makePlan(this.#run, this.#rows.rows, { ...this.#how(), report: progress.report }),
    );
    const text = describePlan(this.#file, plan, printer.paint);
    if (dryRun) {
      await printer.print({ dryRun: true, ...planJson(plan) }, `${text}\nNothing was changed.`);
      return this.#fail(plan.refused.length);
    }
    if (!json) await printer.lines([text]);
    if (plan.changes.length > 0) await this.#confirm(`Change ${count(plan.changes.length, 'pet')}? [y/N] `);
    const { refused, unchanged } = plan;
    await this.#apply(
      Journal.start(context, identity, {
        chunks: this.#chunksOf(plan),
        explanation: explanationOf(this.#options),
        refused,
        unchanged,
      }),
    );
  }

  async #continue(journal: Journal): Promise<void> {
    const { done, total, begin } = journal;
    this.#note(
      `An import of this file, begun ${readableTime(begin.begunAt)}, was interrupted: ${thousands(done)} of ${thousands(total)} changes have a result.`,
    );
    await this.#confirm('Continue it? [y/N] ');
    await this.#apply(journal);
  }

  async #apply(journal: Journal): Promise<void> {
    try {
      await this.#withProgress((progress) =>
        applyChunks(this.#run, journal, { ...this.#how(), report: progress.report }),
      );
    } catch (error) {
      throw this.#interrupted(error, journal);
    }
    const { printer } = this.#run;
    const { unchanged } = journal.begin;
    const late = journal.results.flatMap((result) => result.refused);
    const refused = [...journal.begin.refused, ...late];
    const applied = journal.results.reduce((sum, result) => sum + result.applied, 0);
    const failedFile = refused.length === 0 ? null : (this.#options.failed ?? refusedFileOf(this.#file));
    if (failedFile !== null) writeRefused(failedFile, refused);
    journal.remove();
    const text = [
      ...(late.length === 0 ? [] : [describeRefused(late, printer.paint)]),
      ...(failedFile === null ? [] : [`The refused rows are in ${failedFile}.`]),
      `${count(applied, 'pet')} changed, ${thousands(unchanged)} unchanged, ${thousands(refused.length)} refused.`,
    ].join('\n');
    await printer.print({ changed: applied, unchanged, refused, failedFile }, text);
    this.#fail(refused.length);
  }

  /** @throws FailedResult if rows are refused. */
  #fail(refused: number): void {
    if (refused > 0) throw new FailedResult(`${count(refused, 'row')} refused.`, EXIT.refused);
  }

  /** The end of an import that can be continued. */
  #interrupted(error: unknown, { done, total }: Journal): Error {
    const advice = `${thousands(done)} of ${thousands(total)} changes have a result. Run the same command again to continue; nothing is changed twice.`;
    if (this.#run.context.signal.aborted) {
      this.#note(advice);
      return new Interruption();
    }
    const report = reportOf(error);
    return new CommandFailure(`${report.error}\n${advice}`, report.exitCode, error);
  }

  /** @throws CommandFailure unless the user agrees. */
  async #confirm(question: string): Promise<void> {
    const { stdin, stderr } = this.#run.context;
    if (this.#options.yes) return;
    if (this.#options.json || stdin.isTTY !== true || stderr.isTTY !== true) {
      throw new CommandFailure(
        'Add --yes to change the stock, or --dry-run to see what would change. Nothing was changed.',
        EXIT.wrongUsage,
      );
    }
    if (await isConfirmed(question, { input: stdin, output: stderr })) return;
    throw new CommandFailure('Nothing was changed.');
  }

  #withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
    return withProgress(this.#command, work, this.#run.context.stderr);
  }

  #how() {
    return { isAdding: this.#options.add === true, explanation: explanationOf(this.#options) };
  }

  #chunksOf({ changes }: Plan) {
    const size = chunkSize(explanationOf(this.#options));
    const chunks = [];
    for (let start = 0; start < changes.length; start += size)
      chunks.push(changes.slice(start, start + size));
    return chunks;
  }

  #note(text: string): void {
    this.#run.context.stderr.write(`${text}\n`);
  }
}
