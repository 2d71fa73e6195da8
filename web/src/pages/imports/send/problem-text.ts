import { UnreadableCsv } from '@petstore-inventory/shared/pet-file/csv-records';
import { UnreadableFile, UnreadableText } from '@petstore-inventory/shared/pet-file/faults';
import { useCallback } from 'react';
import { useErrorText, useFormat, useImportErrorText, useTexts } from '../../../texts/texts-context.tsx';
import { EmptyFile } from './file-head.ts';
import { Question } from './question.ts';

export class TooLargeFile extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super('The file is too large.');
    this.maxBytes = maxBytes;
  }
}

/** Describes what is wrong with a file, or why it was not sent. */
export function useProblemText(): (error: unknown) => string {
  const { imports } = useTexts();
  const errorText = useErrorText();
  const importErrorText = useImportErrorText();
  const format = useFormat();
  return useCallback(
    (error) => {
      if (error instanceof EmptyFile) return imports.unusable.empty;
      if (error instanceof UnreadableText) {
        const { code, line } = error.fault;
        if (code === 'unreadable_text' && line !== null)
          return imports.unusable.encoding(format.quantity(line));
      }
      if (error instanceof UnreadableFile || error instanceof Question) return importErrorText(error.fault);
      if (error instanceof UnreadableCsv) return imports.unreadable[error.fault](format.quantity(error.line));
      if (error instanceof TooLargeFile) return imports.tooLarge(format.bytes(error.maxBytes));
      return errorText(error);
    },
    [imports, format, errorText, importErrorText],
  );
}
