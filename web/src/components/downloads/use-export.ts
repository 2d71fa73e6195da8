import { useState } from 'react';
import { serviceNow } from '../../api/service-clock.ts';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { useToast } from '../toast/toast-provider.tsx';
import { calendarDay } from '../day-start.ts';
import { download } from './download.ts';
import type { ExportedCount } from './read-all.ts';

export interface ExportedFile extends ExportedCount {
  readonly content: Blob;
}

type Make = (onProgress: (count: number) => void) => Promise<ExportedFile>;

/** Offers a file of a list, and says how much of it the file has. */
export function useExport() {
  const { files } = useTexts().app;
  const format = useFormat();
  const { show } = useToast();
  const errorText = useErrorText();
  /** The records that were read; `undefined`: no export runs. */
  const [read, setRead] = useState<number>();
  /** @param name Without the date. */
  const run = async (name: string, ending: string, make: Make) => {
    setRead(0);
    try {
      const { content, count, isPart } = await make(setRead);
      download(content, `${name}-${calendarDay(serviceNow(), 0)}.${ending}`);
      const shown = format.count(count);
      show({ message: isPart ? files.part(shown) : files.exported(shown) });
    } catch (error) {
      show({ message: files.failed(errorText(error)), isError: true });
    } finally {
      setRead(undefined);
    }
  };
  return { read, run };
}
