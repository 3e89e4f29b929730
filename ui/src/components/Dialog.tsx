import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

import type { Operations } from '../bindings/operations';
import { useOperationMutation, useToasts } from '../operations';
import type { OperationError } from '../platform';
import { Button, type ButtonProps } from './Button';
import { CloseButton } from './CloseButton';
import { ErrorBox } from './ErrorBox';
import { Form } from './Form';

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
  /** No visible title bar, body, or foot: the content begins with its own search field. */
  bare?: boolean;
  /** One types into it, from its first field on. That would be lost: a click beside it does not close it, Escape does. */
  hasInput?: boolean;
  /** Names a body that can be long: the keyboard can scroll it. */
  scrollLabel?: string;
  bodyClass?: string;
  /** Shown above the content. */
  error?: OperationError | null | false | undefined;
  onRetry?: () => unknown;
  /** What is below the content: before the action, or instead of one. */
  foot?: ReactNode;
  /** The button that does what the dialog is for, beside one that cancels. */
  action?: DialogAction;
  /** Makes it a form, which the button of type "submit" and Enter send. */
  onSubmit?: () => void;
}

interface DialogAction extends Pick<ButtonProps, 'look' | 'busy' | 'disabledReason' | 'autoFocus' | 'onClick'> {
  label: string;
  /** What the button beside it says. */
  cancel?: string;
}

const FIRST_FIELD = 'textarea, input:not([type="checkbox"], [type="radio"], [type="file"], [type="hidden"])';

export function Dialog({ title, onClose, children, wide, bare, hasInput, foot, action, onSubmit, ...body }: Props) {
  const { label, cancel = 'Cancel', ...button } = action ?? {};
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not where a field or button of it has the focus already.
    if (hasInput && document.activeElement?.matches('[role="dialog"]'))
      box.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    // oxlint-disable-next-line exhaustive-deps -- once, when it opens
  }, []);
  const content = (
    <>
      <DialogBody {...body}>{children}</DialogBody>
      {(foot || action) && (
        <div className="dialog-foot">
          {foot}
          {foot && action && <span className="spring" />}
          {action && <Button onClick={onClose}>{cancel}</Button>}
          {action && (
            <Button type={onSubmit ? 'submit' : 'button'} look="primary" {...button}>
              {label}
            </Button>
          )}
        </div>
      )}
    </>
  );
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!hasInput} onOpenChange={(open) => !open && onClose()}>
      <Modal ref={box} className={`modal floating ${wide ? 'wide' : ''}`}>
        <AriaDialog className="dialog" {...(bare ? { 'aria-label': title } : {})}>
          {!bare && (
            <div className="split dialog-head">
              <Heading slot="title">{title}</Heading>
              <CloseButton label="Close" onClick={onClose} />
            </div>
          )}
          {bare && children}
          {!bare && !onSubmit && content}
          {!bare && onSubmit && (
            <Form className="column" onSubmit={onSubmit}>
              {content}
            </Form>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function DialogBody(props: Pick<Props, 'scrollLabel' | 'bodyClass' | 'error' | 'onRetry' | 'children'>) {
  const { scrollLabel, bodyClass = '', error, onRetry, children } = props;
  const region = scrollLabel ? { tabIndex: 0, role: 'region', 'aria-label': scrollLabel } : {};
  return (
    <div className={`dialog-body ${bodyClass}`} {...region}>
      {error && <ErrorBox error={error} onRetry={onRetry} />}
      {children}
    </div>
  );
}

interface ConfirmProps<K extends keyof Operations> {
  title: string;
  /** The button that leaves everything as it is, and the one that does it. */
  keep: string;
  act: string;
  operation: K;
  request: Operations[K]['request'];
  refresh: (keyof Operations)[];
  /** Said once it is done; or what came of it, shown in place of the question. */
  done: string | ((answer: Operations[K]['answer']) => ReactNode);
  /** Nothing is lost by it. */
  isSafe?: boolean;
  onClose(): void;
  onDone?: () => void;
  /** What is lost by it, and what is not. */
  children: ReactNode;
}

/** Asks before something that cannot be undone is done, and does it. */
export function ConfirmDialog<K extends keyof Operations>(props: ConfirmProps<K>) {
  const { title, operation, request, refresh, done, isSafe, onClose, onDone, children } = props;
  const { mutate, isPending, error, data } = useOperationMutation(operation, refresh);
  const { showToast } = useToasts();
  const report = typeof done === 'function' && data !== undefined && done(data);
  const onSuccess = () => {
    if (typeof done === 'string') {
      showToast(done);
      onClose();
    }
    onDone?.();
  };
  const buttons = report ? (
    <Button onClick={onClose}>Close</Button>
  ) : (
    <>
      <Button onClick={onClose}>{props.keep}</Button>
      <Button look={isSafe ? 'primary' : 'danger'} busy={isPending} onClick={() => mutate(request, { onSuccess })}>
        {props.act}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} error={error} foot={buttons}>
      {report || <p>{children}</p>}
    </Dialog>
  );
}
