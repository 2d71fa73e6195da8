import type { UnreadableFile } from '@petstore-inventory/shared/pet-file/faults';
import type { Reading } from '@petstore-inventory/shared/pet-file/reading';

/** What a person answers to a question about a file. */
export type Answer = Pick<Reading, 'encoding' | 'sheet'>;

/** A file about which a person must answer a question. */
export class Question extends Error {
  override name = 'Question';
  readonly fault: UnreadableFile['fault'];
  readonly answers: readonly Answer[];

  constructor({ fault }: UnreadableFile, answers: readonly Answer[]) {
    super('The file needs an answer.');
    this.fault = fault;
    this.answers = answers;
  }
}
