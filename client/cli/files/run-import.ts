import { rmSync, statSync } from 'node:fs';
import { STANDARD_INPUT } from '@petstore-inventory/shared/pet-file/shown-file';
import { restFileOf } from '@petstore-inventory/shared/pet-file/rest-file';
import { isConfirmed } from '@petstore-inventory/shared/terminal/confirm';
import type { FileOptions } from '@petstore-inventory/shared/terminal/file-options';
import { type Progress, withProgress } from '@petstore-inventory/shared/terminal/progress';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { isSameFile } from '@petstore-inventory/shared/terminal/whole-file';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, FailedResult, Interruption, reportOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { type ExplanationOptions, explanationOf } from '../stock/change-options.ts';
import { applyChunks } from './apply.ts';
import { Journal } from './journal.ts';
import { chunksOf, makePlan } from './plan.ts';
import { describePlan, describeRefused, planJson, refusedFileOf, writeRefused } from './report.ts';
import { type FileRow, type FileRows, readRows } from './rows.ts';
import { writeWholeFile } from './whole-file.ts';
import { describeUnfinished, pathOf, requireSameImport, UnfinishedImports } from './unfinished.ts';

export interface ImportOptions extends ExplanationOptions, FileOptions {
  readonly add?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly resume?: true;
  readonly fresh?: true;
  readonly failed?: string;
  readonly json?: true;
  /** A file with a mapping. */
  readonly mapping?: string;
}

/** One import: plan, preview, question, changes. */
export class Import {
  readonly #run: Run;
  readonly #file: string;
  readonly #options: ImportOptions;
  readonly #command: Command;
  readonly #unfinished: UnfinishedImports;
  #leftOut = 0;

  constructor(run: Run, file: string, options: ImportOptions, command: Command) {
    this.#run = run;
    this.#file = file;
    this.#options = options;
    this.#command = command;
    this.#unfinished = new UnfinishedImports(run.context, run.url);
  }

  async run(): Promise<void> {
    const { resume, dryRun, fresh } = this.#options;
    const ofFile = this.#unfinished.ofFile(this.#file);
    if (resume) {
      if (ofFile) return this.#continue(ofFile);
      throw new CommandFailure(`No interrupted import of ${this.#file} is known.`, EXIT.wrongUsage);
    }
    this.#requireOther('--failed', this.#failedFile);
    const isAdding = this.#options.add === true;
    const { rows, ignored, digest, bad, format, facts } = await readRows(
      this.#run,
      this.#file,
      isAdding,
      this.#options,
    );
    if (facts !== undefined) this.#note(safe(facts));
    if (bad.count > 0) this.#keepBadRows(bad, format);
    if (ignored.length > 0)
      this.#note(`Ignored, because an API key cannot change them: ${ignored.join(', ')}.`);
    const record = this.#unfinished.recordOf({ url: this.#run.url, digest, isAdding });
    const same = dryRun || fresh ? undefined : Journal.read(record);
    if (same) return this.#continue(same);
    if (!dryRun && !fresh) requireSameImport(ofFile, isAdding);
    const replaced = [...(ofFile ? [ofFile.file] : []), ...(fresh ? [record] : [])];
    await this.#begin(rows, record, replaced);
  }

  /** Writes the rows that are left out, and says what is wrong with them. */
  #keepBadRows({ count: rows, lines, text }: FileRows['bad'], format: ImportFormat): void {
    const { dryRun, badRows } = this.#options;
    this.#leftOut = rows;
    const name = this.#file === STANDARD_INPUT ? 'stdin.csv' : this.#file;
    const target = badRows ?? restFileOf(name, format);
    this.#requireOther('--bad-rows', target);
    if (pathOf(target) === pathOf(this.#failedFile) && isReplaced(target)) {
      throw new CommandFailure(
        `--bad-rows and --failed name ${safe(target)}, and the refused rows would replace the rows that are left out; name another file. Nothing was imported.`,
        EXIT.wrongUsage,
      );
    }
    if (!dryRun) writeWholeFile(target, [text]);
    const where = dryRun ? 'left out' : `left out, and written to ${safe(target)}`;
    this.#note([`${count(rows, 'row')} ${where}:`, ...lines].join('\n'));
  }

  /** Where refused rows go. */
  get #failedFile(): string {
    return this.#options.failed ?? refusedFileOf(this.#file);
  }

  /** @throws CommandFailure if a file that is written would replace the one that is imported. */
  #requireOther(option: string, target: string): void {
    if (!isSameFile(this.#file, target)) return;
    throw new CommandFailure(
      `${option} names ${safe(this.#file)} itself; name another file. Nothing was imported.`,
      EXIT.wrongUsage,
    );
  }

  /** @param replaced The records that this import replaces as soon as it begins */
  async #begin(rows: readonly FileRow[], record: string, replaced: readonly string[]): Promise<void> {
    const { url, printer } = this.#run;
    const { dryRun, json, add: isAdding = false } = this.#options;
    const explanation = explanationOf(this.#options);
    if (isAdding)
      for (const other of this.#unfinished.addingOthers(this.#file))
        this.#note(
          `${describeUnfinished(other)} If this file is a corrected copy of it, answer no, and finish that one with --resume.`,
        );
    const plan = await this.#withProgress(({ report }) =>
      makePlan(this.#run, rows, { isAdding, explanation, report }),
    );
    const text = describePlan(this.#file, plan, printer.paint);
    if (dryRun) {
      await printer.print(
        { dryRun: true, ...planJson(plan), leftOut: this.#leftOut },
        `${text}\nNothing was changed.`,
      );
      return this.#fail(plan.refused.length);
    }
    if (!json) await printer.lines([text]);
    if (plan.changes.length > 0) await this.#confirm(`Change ${count(plan.changes.length, 'pet')}? [y/N] `);
    for (const file of replaced) rmSync(file, { force: true });
    const { refused, unchanged } = plan;
    const chunks = chunksOf(plan.changes, explanation);
    const path = pathOf(this.#file);
    await this.#apply(
      Journal.start(record, { chunks, url, path, isAdding, explanation, refused, unchanged }),
    );
  }

  async #continue(journal: Journal): Promise<void> {
    this.#note(describeUnfinished(journal));
    await this.#confirm('Continue it? [y/N] ');
    await this.#apply(journal);
  }

  async #apply(journal: Journal): Promise<void> {
    try {
      await this.#withProgress(({ report }) => applyChunks(this.#run, journal, report));
    } catch (error) {
      throw this.#interrupted(error, journal);
    }
    const { printer } = this.#run;
    const { unchanged } = journal.begin;
    const late = journal.results.flatMap((result) => result.refused);
    const refused = [...journal.begin.refused, ...late];
    const applied = journal.results.reduce((sum, result) => sum + result.applied, 0);
    const failedFile = refused.length === 0 ? null : this.#failedFile;
    if (failedFile !== null) writeRefused(failedFile, refused);
    journal.remove();
    const text = [
      ...(late.length === 0 ? [] : [describeRefused(late, printer.paint)]),
      ...(failedFile === null ? [] : [`The refused rows are in ${failedFile}.`]),
      `${count(applied, 'pet')} changed, ${thousands(unchanged)} unchanged, ${thousands(refused.length)} refused.`,
    ].join('\n');
    await printer.print({ changed: applied, unchanged, refused, failedFile, leftOut: this.#leftOut }, text);
    this.#fail(refused.length);
  }

  /** @throws FailedResult if rows are refused. Those that `--good-rows` leaves out are none of them. */
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

  #note(text: string): void {
    this.#run.context.stderr.write(`${text}\n`);
  }
}

/** Whether what is written takes the place of what has the name before. A device, such as /dev/null, stays. */
function isReplaced(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}
