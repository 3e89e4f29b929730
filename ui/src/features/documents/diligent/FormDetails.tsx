import type { FormsRequest } from '../../../bindings/operations';
import { Button, Checkbox, DateField, Field, Picker } from '../../../components';
import { FindTransactionButton } from '../../../workbench/FindTransactionButton';
import { useWorkbench } from '../../../workbench/Workbench';

interface Props {
  request: FormsRequest;
  onChange(part: Partial<FormsRequest>): void;
  problem(pointer: string): string | undefined;
  /** Number of the transaction the forms are for, as typed. */
  transaction: string;
  onTransaction(number: string): void;
  onQuote(): void;
  isPrefilling: boolean;
  onPrefill(): void;
}

/** What the forms depend on, and what they can be started from. */
export function FormDetails({ request, onChange, problem, transaction, onTransaction, ...start }: Props) {
  const { reference } = useWorkbench();
  const { onQuote, isPrefilling, onPrefill } = start;
  return (
    <section className="card card-body" aria-label="Transaction details">
      <div className="pair">
        <Picker
          // As in a quote: the first thing typed is the state.
          autoFocus={request.state === ''}
          label="State of the risk"
          noun="state"
          choices={reference.states}
          value={request.state}
          pointer="/state"
          placeholder="Name or code"
          onChange={(state) => onChange({ state, keys: [] })}
        />
        <Picker
          label="Transaction"
          choices={reference.transaction_types}
          value={request.transaction_type}
          pointer="/transaction_type"
          onChange={(transaction_type) => onChange({ transaction_type, keys: [] })}
        />
        <DateField
          label="Policy effective"
          today={reference.today}
          value={request.policy_effective_date}
          pointer="/policy_effective_date"
          error={problem('/policy_effective_date')}
          onChange={(policy_effective_date) => onChange({ policy_effective_date })}
        />
        <div>
          <Checkbox
            label="Exempt commercial purchaser"
            checked={request.ecp}
            onChange={(ecp) => onChange({ ecp, keys: [] })}
          />
          <Checkbox
            label="On the export list"
            checked={request.export_list}
            onChange={(export_list) => onChange({ export_list, keys: [] })}
          />
        </div>
      </div>
      <div className="buttons">
        <Button onClick={onQuote} disabledReason={isPrefilling && 'Creating…'}>
          Start from this quote
        </Button>
      </div>
      <div className="buttons at-end diligent-begin">
        <Field
          label="Transaction number"
          inputMode="numeric"
          value={transaction}
          pointer="/transaction_id"
          onChange={onTransaction}
        />
        <FindTransactionButton group="Diligent effort" onFound={onTransaction} />
        <Button disabledReason={transaction.trim() === '' && 'Enter the transaction number first.'} onClick={onPrefill}>
          Start from this transaction
        </Button>
      </div>
    </section>
  );
}
