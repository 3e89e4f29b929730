import { useState } from 'react';

import type { QuoteLine } from '../../bindings/operations';
import { AmountField, Button, CloseButton, DataTable, Picker, type PickerChoice } from '../../components';
import { addAmounts, formatAmount } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { filledLines } from '../../workbench/quoteForm';
import { useLineChoices } from '../../workbench/useLineChoices';
import { useFieldError } from './PolicyFields';

/** Lines of business with their premiums, a row each. */
export function LinesTable({ onAdd }: { onAdd(): void }) {
  const { quote, reference } = useWorkbench();
  const choices = useLineChoices();
  const several = filledLines(quote.form).length > 1;
  return (
    <>
      <h2>
        Lines of business
        {reference.lines_source !== 'built in' && <span className="quiet-text"> from {reference.lines_source}</span>}
      </h2>
      <div className="lines">
        <DataTable
          label="Lines of business, premiums in US dollars"
          columns={['Line', { num: 'Premium', width: '12rem' }, { hidden: 'Remove', width: '3.2rem' }]}
        >
          {quote.form.lines.map((line, at) => (
            <LineRow key={quote.rows[at]} at={at} line={line} choices={choices} />
          ))}
        </DataTable>
        <div className="split lines-foot">
          <Button look="quiet" small keys="Mod+Enter" onClick={onAdd}>
            Add line
          </Button>
          {several && (
            <span className="num">
              <span className="quiet-text">Premium</span>{' '}
              {formatAmount(addAmounts(...quote.form.lines.map((line) => line.premium)))}
            </span>
          )}
        </div>
      </div>
    </>
  );
}

/** A line and its premium; their errors are shown below in a row of their own. */
function LineRow({ at, line, choices }: { at: number; line: QuoteLine; choices: readonly PickerChoice[] }) {
  const { change } = useWorkbench();
  const error = useFieldError();
  const [below, setBelow] = useState<HTMLElement | null>(null);
  return (
    <>
      <tr>
        <td>
          <Picker
            cell
            required={at === 0}
            label={`Line ${at + 1}`}
            noun="line"
            placeholder="Name or code"
            choices={choices}
            value={line.code}
            pointer={`/lines/${at}/code`}
            error={error(`/lines/${at}/code`)}
            errorContainer={below}
            onChange={(code) => change({ do: 'line', at, change: { code } })}
          />
        </td>
        <td>
          <AmountField
            cell
            aria-required={at === 0}
            label={`Premium of line ${at + 1}`}
            placeholder="0.00"
            value={line.premium}
            pointer={`/lines/${at}/premium`}
            error={error(`/lines/${at}/premium`)}
            errorContainer={below}
            onChange={(premium) => change({ do: 'line', at, change: { premium } })}
          />
        </td>
        <td>
          <CloseButton label={`Remove line ${at + 1}`} onClick={() => change({ do: 'remove line', at })} />
        </td>
      </tr>
      <tr className="line-problems">
        <td colSpan={3} ref={setBelow} />
      </tr>
    </>
  );
}
