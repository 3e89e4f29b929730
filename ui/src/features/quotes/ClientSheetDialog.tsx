import type { QuoteAnswer, QuoteRequest, SheetDetails } from '../../bindings/operations';
import {
  AmountField,
  bindTexts,
  Button,
  Checkbox,
  DateField,
  Dialog,
  errorsByPointer,
  Field,
  QueryError,
  SelectField,
  TextArea,
} from '../../components';
import { PrintedPages } from '../../components/PrintedPages';
import {
  useFileSave,
  useOperationAction,
  useOperationQuery,
  usePrint,
  useSettings,
  useToasts,
  useTypedQuery,
} from '../../operations';
import type { OperationError } from '../../platform';
import { useNavigation } from '../../workbench/navigation';
import { useWorkbench } from '../../workbench/Workbench';

interface Props {
  request: QuoteRequest;
  answer: QuoteAnswer;
  onClose(): void;
}

/** The sheet for the client: what it says beside the taxes, how it looks, and how it gets there. */
export function ClientSheetDialog({ request, answer, onClose }: Props) {
  const { quote, change, reference } = useWorkbench();
  const { go } = useNavigation();
  const { showToast } = useToasts();
  const print = usePrint();
  const set = (part: Partial<SheetDetails>) =>
    change({ do: 'edit', change: { sheet: { ...quote.form.sheet, ...part } } });
  const now = { request, answer };
  const { query: sheet } = useTypedQuery('quote_sheet_show', now);
  const errorAt = errorsByPointer(sheet.error);
  const text = bindTexts(quote.form.sheet, set, errorAt, '/sheet');
  const blocked = hasMarkedFields(sheet.error) && 'Correct the marked fields first.';
  const templates = useOperationQuery('sheet_template_list');
  const settings = useSettings().data;
  const remembering = useOperationAction('settings_save', ['settings_load', 'sheet_template_list']);
  /** The next quote is offered it again. */
  const chooseTemplate = (template: string) => {
    set({ template });
    if (settings) remembering.mutate({ ...settings, sheet_template: template });
  };
  const saving = useFileSave('quote_pdf');
  const mailing = useOperationAction('quote_email');
  const mail = () =>
    mailing.mutate(now, {
      onSuccess: ({ opened, attached, file_name: name }) => {
        if (!opened) return;
        const rest = attached ? 'Check that the e-mail has it attached.' : 'Attach it to the e-mail that opened.';
        showToast(`Saved ${name}. ${rest}`);
      },
    });
  const pages = sheet.data?.pages ?? [];
  return (
    <Dialog
      title="Sheet for the client"
      wide
      hasInput
      onClose={onClose}
      foot={
        <>
          <Button look="quiet" onClick={() => go('settings', 'agency')}>
            Agency and template
          </Button>
          <span className="spring" />
          <Button busy={saving.isPending} disabledReason={blocked} onClick={() => saving.save(now)}>
            Save as PDF
          </Button>
          <Button busy={mailing.isPending} disabledReason={blocked} onClick={mail}>
            E-mail
          </Button>
          <Button
            look="primary"
            disabledReason={blocked || (pages.length === 0 && 'The sheet isn’t ready yet.')}
            onClick={print}
          >
            Print
          </Button>
        </>
      }
    >
      <div className="client-sheet">
        <div className="stack">
          {templates.data && templates.data.templates.length > 1 && (
            <SelectField
              label="Template"
              choices={templates.data.templates.map(({ name }) => ({ code: name, name }))}
              value={quote.form.sheet.template || templates.data.chosen}
              error={errorAt('/sheet/template')}
              onChange={chooseTemplate}
            />
          )}
          <Field
            label="Insured’s name"
            value={quote.form.insured}
            error={errorAt('/insured')}
            onChange={(insured) => change({ do: 'edit', change: { insured } })}
          />
          <TextArea label="Insured’s address" rows={2} {...text('insured_address')} />
          <Field label="Carrier" {...text('carrier')} />
          <Field label="Quote number" {...text('quote_number')} />
          <DateField label="Policy expires" today={reference.today} {...text('policy_expires')} />
          <DateField label="Valid until" today={reference.today} {...text('valid_until')} />
          <Field label="Minimum earned" placeholder="e.g. 25%" {...text('minimum_earned')} />
          <TextArea label="Subject to, one on each line" rows={3} {...text('subject_to')} />
          <h3>Payment plan</h3>
          <Field label="Installments" placeholder="None" numeric inputMode="numeric" {...text('installments')} />
          {quote.form.sheet.installments.trim() !== '' && (
            <>
              <Field label="Down payment" placeholder="e.g. 25%" numeric {...text('down_payment')} />
              <Checkbox
                label="Taxes and fees with the down payment"
                checked={quote.form.sheet.taxes_first}
                onChange={(taxes_first) => set({ taxes_first })}
              />
              <AmountField label="Fee of each installment" placeholder="0.00" {...text('installment_fee')} />
              <DateField label="First installment" today={reference.today} {...text('first_installment')} />
            </>
          )}
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className="scrolls client-sheet-pages" tabIndex={0} role="region" aria-label="Pages">
          {blocked ? (
            <p role="status">The sheet is shown here once the marked fields are corrected.</p>
          ) : (
            <QueryError of={sheet} />
          )}
          <PrintedPages pages={pages} name="Sheet for the client" />
        </div>
      </div>
    </Dialog>
  );
}

/** Whether all that is wrong is said at a field of this dialog. */
function hasMarkedFields(error: OperationError | null): boolean {
  const details = error?.boundary.details ?? [];
  return details.length > 0 && details.every(({ pointer }) => pointer === '/insured' || pointer.startsWith('/sheet/'));
}
