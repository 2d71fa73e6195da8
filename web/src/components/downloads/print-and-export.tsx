import { Button, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconDownload, IconPrinter } from '../../icons/icons.tsx';

interface Props {
  readonly print: string;
  readonly onPrint: () => void;
  /** The words of the button that opens the menu. */
  readonly output: string;
  /** Whether there is nothing to write yet. */
  readonly isDisabled?: boolean;
  /** Whether a file is being made. */
  readonly isLoading?: boolean;
  /** The items of the menu: the forms of the file. */
  readonly children: ReactNode;
}

/** The two ways out of a page: paper, and a menu of files. */
export function PrintAndExport({
  print,
  onPrint,
  output,
  isDisabled = false,
  isLoading = false,
  children,
}: Props) {
  return (
    <>
      <Button
        variant="default"
        data-compact
        leftSection={<IconPrinter size={16} stroke={1.75} />}
        disabled={isDisabled || isLoading}
        onClick={onPrint}
      >
        {print}
      </Button>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button
            variant="default"
            data-compact
            leftSection={<IconDownload size={16} stroke={1.75} />}
            disabled={isDisabled}
            loading={isLoading}
          >
            {output}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{children}</Menu.Dropdown>
      </Menu>
    </>
  );
}
