import { Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import type { Stocktake, StocktakeLine, StocktakeTotals } from '../../api/schemas.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { useIsPhone } from '../../components/density.ts';
import { FormDialog } from '../../components/dialogs/form-dialog.tsx';
import { download } from '../../components/downloads/download.ts';
import { PrintAndExport } from '../../components/downloads/print-and-export.tsx';
import { useToast } from '../../components/toast/toast-provider.tsx';
import { isSettled } from '../../counts/count.ts';
import { useCounts } from '../../counts/use-counts.ts';
import { IconBan, IconClipboardCheck } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useErrorText, useFormat, useTexts } from '../../texts/texts-context.tsx';
import { reportCsv } from './report-csv.ts';
import { cancelStocktake, closeStocktake, readReport, undoStocktake, useRefresh } from './stocktakes-api.ts';

interface Props {
  readonly stocktake: Stocktake;
  readonly totals: StocktakeTotals | undefined;
  /** Prints all lines of the report. */
  readonly onPrint: (lines: readonly StocktakeLine[]) => void;
}

/** Export, cancel, close and undo. */
export function StocktakeActions({ stocktake, totals, onPrint }: Props) {
  const { stocktakes } = useTexts();
  const isAdministrator = useMay('administrator');
  // Five buttons with words and symbols are wider than a tablet.
  const isPhone = useIsPhone();
  const [dialog, setDialog] = useState<'cancel' | 'close' | 'undo'>();
  const onClose = () => setDialog(undefined);
  const { state, prunedAt } = stocktake;
  return (
    <>
      <OutputMenu stocktake={stocktake} onPrint={onPrint} />
      {isAdministrator && state === 'running' && (
        <>
          <Button
            variant="default"
            data-compact
            aria-label={stocktakes.cancel.confirm}
            leftSection={isPhone && <IconBan size={16} stroke={1.75} />}
            onClick={() => setDialog('cancel')}
          >
            {stocktakes.cancel.action}
          </Button>
          <Button
            variant="default"
            data-compact
            leftSection={isPhone && <IconClipboardCheck size={16} stroke={1.75} />}
            onClick={() => setDialog('close')}
          >
            {stocktakes.close.action}
          </Button>
        </>
      )}
      {isAdministrator && state === 'closed' && prunedAt === null && (
        <Button variant="default" onClick={() => setDialog('undo')}>
          {stocktakes.undo.action}
        </Button>
      )}
      {dialog === 'close' && <CloseDialog stocktake={stocktake} totals={totals} onClose={onClose} />}
      {dialog === 'cancel' && <CancelDialog stocktake={stocktake} onClose={onClose} />}
      {dialog === 'undo' && <UndoDialog stocktake={stocktake} onClose={onClose} />}
    </>
  );
}

/** The whole report as a file, or on paper. */
function OutputMenu({ stocktake: { id, name }, onPrint }: Pick<Props, 'stocktake' | 'onPrint'>) {
  const { stocktakes } = useTexts();
  const format = useFormat();
  const errorText = useErrorText();
  const toast = useToast();
  const [read, setRead] = useState<number>();
  const run = async (write: (lines: readonly StocktakeLine[]) => void) => {
    setRead(0);
    try {
      write(await readReport(id, setRead));
    } catch (error) {
      toast.show({ message: stocktakes.exportFailed(errorText(error)), isError: true });
    } finally {
      setRead(undefined);
    }
  };
  const save = (lines: readonly StocktakeLine[]) =>
    download(new Blob([reportCsv(lines)], { type: 'text/csv;charset=utf-8' }), `${fileName(name)}.csv`);
  return (
    <PrintAndExport
      print={stocktakes.print}
      onPrint={() => void run(onPrint)}
      output={read === undefined ? stocktakes.output : stocktakes.exporting(format.quantity(read))}
      isDisabled={read !== undefined}
    >
      <Menu.Item onClick={() => void run(save)}>{stocktakes.export}</Menu.Item>
    </PrintAndExport>
  );
}

/** What every file system allows. */
const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 80);

function CloseDialog({ stocktake, totals, onClose }: Omit<Props, 'onPrint'> & { onClose: () => void }) {
  const { close } = useTexts().stocktakes;
  const format = useFormat();
  const toast = useToast();
  const refresh = useRefresh();
  const unsent = useUnsent(stocktake);
  const submit = async () => {
    await closeStocktake(stocktake.id);
    toast.show({ message: close.done(stocktake.name) });
    await refresh();
  };
  return (
    <FormDialog
      title={close.title(stocktake.name)}
      action={close.confirm}
      // What it posts must be known first.
      isReady={totals !== undefined}
      work={close.work}
      remedy={close.remedy}
      onClose={onClose}
      onSubmit={submit}
    >
      {totals && (
        <>
          <Text>
            {totals.unposted > 0 ? close.posts(format.count(totals.unposted)) : close.nothingToPost}
          </Text>
          {totals.uncounted > 0 && <Text>{close.uncounted(format.count(totals.uncounted))}</Text>}
        </>
      )}
      {unsent > 0 && <Text fw={550}>{close.unsent(format.count(unsent))}</Text>}
      <Text c="dimmed">{close.hint}</Text>
    </FormDialog>
  );
}

/** How many counts of this device the service does not have yet. */
const useUnsent = ({ id }: Stocktake): number =>
  useCounts().filter((count) => count.stocktakeId === id && !isSettled(count)).length;

function CancelDialog({ stocktake, onClose }: Pick<Props, 'stocktake'> & { onClose: () => void }) {
  const { cancel } = useTexts().stocktakes;
  const { id, name, posting } = stocktake;
  const format = useFormat();
  const toast = useToast();
  const refresh = useRefresh();
  const unsent = useUnsent(stocktake);
  const confirm = async () => {
    await cancelStocktake(id);
    toast.show({ message: cancel.done(name) });
    await refresh();
  };
  return (
    <ConfirmByName
      title={cancel.title(name)}
      name={name}
      action={cancel.confirm}
      leave={cancel.leave}
      work={cancel.work}
      remedy={cancel.remedy}
      onClose={onClose}
      onConfirm={confirm}
    >
      <Text>{cancel.happens[posting]}</Text>
      {unsent > 0 && <Text fw={550}>{cancel.unsent(format.count(unsent))}</Text>}
      <Text c="dimmed">{cancel.hint}</Text>
    </ConfirmByName>
  );
}

function UndoDialog({
  stocktake: { id, name },
  onClose,
}: Pick<Props, 'stocktake'> & { onClose: () => void }) {
  const { undo } = useTexts().stocktakes;
  const toast = useToast();
  const refresh = useRefresh();
  const confirm = async () => {
    await undoStocktake(id);
    toast.show({ message: undo.done(name) });
    await refresh();
  };
  return (
    <ConfirmByName
      title={undo.title(name)}
      name={name}
      action={undo.confirm}
      work={undo.work}
      remedy={undo.remedy}
      onClose={onClose}
      onConfirm={confirm}
    >
      <Text>{undo.hint}</Text>
    </ConfirmByName>
  );
}
