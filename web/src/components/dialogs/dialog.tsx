import { Modal, type ModalProps } from '@mantine/core';
import { useTypedContent } from './typed-content.tsx';
import { useReturnedFocus } from './use-returned-focus.ts';

interface Props extends Omit<ModalProps, 'opened'> {
  /** Whether it asks before what was typed in its form is lost. */
  readonly asks?: boolean;
}

/** A dialog over the page. Render it while it is open. */
export function Dialog({ asks = true, onClose, closeOnEscape = true, children, ...props }: Props) {
  useReturnedFocus();
  const { close, isAsking, wrap } = useTypedContent(onClose, asks);
  return (
    <Modal opened onClose={close} closeOnEscape={closeOnEscape && !isAsking} {...props}>
      {wrap(children)}
    </Modal>
  );
}
