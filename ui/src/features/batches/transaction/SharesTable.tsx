import { useState } from 'react';

import { AmountField } from '../../../components/AmountField';
import { Button } from '../../../components/Button';
import { CloseButton } from '../../../components/CloseButton';
import { DataTable } from '../../../components/DataTable';
import { Field, FieldErrorText } from '../../../components/Field';
import { Picker } from '../../../components/Picker';
import { useLineChoices } from '../../../workbench/useLineChoices';
import { readShares, SHARE_LISTS, type SharePart, writeShares } from './transactionSections';
import type { TransactionCells } from './useTransactionCells';

type ShareList = (typeof SHARE_LISTS)[number];

/** Lines with their premiums, or insurers with their percentages: a row each. */
export function SharesTable({ list, cells }: { list: ShareList; cells: TransactionCells }) {
  const [codes, shares] = [cells.text(list.codes), cells.text(list.shares)];
  // A row that was added and is still empty is not in the cells yet.
  const [added, setAdded] = useState(0);
  const read = readShares(codes, shares);
  const rows = [...read, ...Array.from({ length: added }, () => ({ code: '', share: '' }))];
  const choices = useLineChoices();
  const write = (next: SharePart[]) => {
    const cellTexts = writeShares(next);
    setAdded(Math.max(0, next.length - readShares(cellTexts.codes, cellTexts.shares).length));
    cells.type({ [list.codes]: cellTexts.codes, [list.shares]: cellTexts.shares });
  };
  const change = (at: number, part: Partial<SharePart>) =>
    write(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  const faults = [cells.fieldError(list.codes), cells.fieldError(list.shares)];
  const isLines = list.codes === 'line_of_business_list';
  return (
    <section className="lines" aria-label={list.title}>
      <DataTable
        label={list.title}
        columns={[list.title, { num: list.share, width: '12rem' }, { hidden: 'Remove', width: '3.2rem' }]}
      >
        {rows.map((row, at) => (
          // Rows have no name of their own: their place is what they are.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={at}>
            <td>
              {isLines && (row.code === '' || choices.some((each) => each.code === row.code)) ? (
                <Picker
                  cell
                  label={`${list.one} ${at + 1}`}
                  placeholder="Name or code"
                  choices={choices}
                  value={row.code}
                  pointer={`/${list.codes}/${at}`}
                  onChange={(code) => change(at, { code })}
                />
              ) : (
                <Field
                  cell
                  label={`${list.one} ${at + 1}`}
                  placeholder={list.one}
                  value={row.code}
                  onChange={(code) => change(at, { code })}
                />
              )}
            </td>
            <td>
              <AmountField
                cell
                label={`${list.share} ${at + 1}`}
                placeholder={isLines ? '0.00' : '100'}
                value={row.share}
                pointer={`/${list.shares}/${at}`}
                onChange={(share) => change(at, { share })}
              />
            </td>
            <td>
              <CloseButton
                label={`Remove ${list.one} ${at + 1}`}
                onClick={() => write(rows.filter((_, place) => place !== at))}
              />
            </td>
          </tr>
        ))}
      </DataTable>
      {faults.map((fault) => fault && <FieldErrorText key={fault} message={fault} />)}
      <div className="lines-foot">
        <Button look="quiet" small onClick={() => setAdded(added + 1)}>
          {list.add}
        </Button>
      </div>
    </section>
  );
}
