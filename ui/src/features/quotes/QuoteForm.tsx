import { useEffect, useEffectEvent, useRef } from 'react';

import type { FieldError } from '../../bindings/operations';
import { AmountField, Button, Form } from '../../components';
import { FEE_LABELS } from '../../workbench/quoteForm';
import { useWorkbench } from '../../workbench/Workbench';
import { FeeChargedByField, LineDetailFields } from './DetailFields';
import { LinesTable } from './LinesTable';
import { MoreFields } from './MoreFields';
import { PolicyFields, useQuoteBinding } from './PolicyFields';

interface Props {
  onCalculate(): void;
  onAdd(): void;
  onNew(): void;
  onTotal(): void;
  onCancellation(): void;
  onEndorsement(): void;
  busy: boolean;
}

/** The question. Enter in any field asks the service. */
export function QuoteForm({ onCalculate, onAdd, onNew, onTotal, onCancellation, onEndorsement, busy }: Props) {
  const { quote } = useWorkbench();
  const form = useRef<HTMLFormElement>(null);
  const { text } = useQuoteBinding();
  useFocusFirstError(form, quote.errors, quote.failureCount);
  useFocusNewLine(form, quote.rows);
  return (
    <Form className="card column quote-form" aria-label="Policy" data-part ref={form} onSubmit={onCalculate}>
      <div className="form-body">
        <PolicyFields />
        <LinesTable onAdd={onAdd} />
        <LineDetailFields />
        <h2>Fees in addition to premium</h2>
        <div className="pair grid">
          <AmountField label={FEE_LABELS.agency_fee} placeholder="0.00" {...text('agency_fee')} />
          <FeeChargedByField />
          <AmountField label={FEE_LABELS.inspection_fee} placeholder="0.00" {...text('inspection_fee')} />
        </div>
        <MoreFields />
      </div>
      <div className="in-line form-foot">
        <Button type="submit" look="primary" busy={busy} keys="Enter">
          {busy ? 'Calculating…' : 'Calculate taxes'}
        </Button>
        <div className="in-line">
          <Button look="quiet" onClick={onTotal}>
            From a total
          </Button>
          <Button look="quiet" onClick={onCancellation}>
            Cancel a policy
          </Button>
          <Button look="quiet" onClick={onEndorsement}>
            Change a policy
          </Button>
          <span className="spring" />
          <Button look="quiet" keys="Mod+N" onClick={onNew}>
            New
          </Button>
        </div>
      </div>
    </Form>
  );
}

/** After an answer with field errors: to the first field at fault in the order of the form. */
function useFocusFirstError(form: React.RefObject<HTMLFormElement | null>, errors: FieldError[], faults: number) {
  const arrived = useEffectEvent(() => {
    const pointers = new Set(errors.map((error) => error.pointer));
    for (const field of form.current?.querySelectorAll<HTMLElement>('[data-pointer]') ?? []) {
      if (!pointers.has(field.dataset['pointer'] ?? '')) continue;
      field.querySelector<HTMLElement>('input, button')?.focus();
      return;
    }
  });
  useEffect(() => {
    if (faults > 0) arrived();
  }, [faults]);
}

/** A new row takes the focus, so that typing continues there. */
function useFocusNewLine(form: React.RefObject<HTMLFormElement | null>, rows: number[]) {
  const before = useRef(rows);
  useEffect(() => {
    const grew =
      rows.length === before.current.length + 1 && rows.slice(0, -1).every((row, at) => row === before.current[at]);
    before.current = rows;
    if (grew)
      form.current?.querySelector<HTMLElement>(`[data-pointer="/lines/${rows.length - 1}/code"] input`)?.focus();
  }, [form, rows]);
}
