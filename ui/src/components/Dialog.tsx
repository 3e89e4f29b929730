import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

import { CloseButton } from './CloseButton';

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
  /** No visible title bar: the content begins with its own search field. */
  bare?: boolean;
  /** What was typed into it would be lost: a click beside it does not close it, Escape does. */
  hasInput?: boolean;
}

export function Dialog({ title, onClose, children, wide, bare, hasInput }: Props) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!hasInput} onOpenChange={(open) => !open && onClose()}>
      <Modal className={`modal floating ${wide ? 'wide' : ''} ${bare ? 'bare' : ''}`}>
        <AriaDialog className="dialog" {...(bare ? { 'aria-label': title } : {})}>
          {!bare && (
            <div className="split dialog-head">
              <Heading slot="title">{title}</Heading>
              <CloseButton label="Close" onClick={onClose} />
            </div>
          )}
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
