import { Modal, type ModalProps } from '@mantine/core';
import { useReturnedFocus } from './use-returned-focus.ts';

/** A dialog over the page. Render it while it is open. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useReturnedFocus();
  return <Modal opened {...props} />;
}
