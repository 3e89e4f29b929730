import { useState } from 'react';

import type { Coded, ReferenceData, ValueMatch } from '../../../bindings/operations';
import { Picker } from '../../../components/Picker';
import { useWorkbench } from '../../../workbench/context';
import { fieldInfo } from '../fields';

interface Props {
  values: ValueMatch[];
  onCode(value: ValueMatch, code: string | null): void;
}

const COUNT = new Intl.NumberFormat('en-US');
const SHOWN = 60;

function choicesOf(field: string, reference: ReferenceData): Coded[] | null {
  switch (field) {
    case 'transaction_type':
      return reference.transaction_types;
    case 'line_of_business_list':
      return reference.lines;
    case 'physical_state':
    case 'mailing_state_code':
      return reference.states;
    case 'insured_entity':
      return reference.entity_types;
    case 'account_written_as':
      return [
        { code: 'B', name: 'Brokerage' },
        { code: 'DC', name: 'Direct client' },
      ];
    default:
      return null;
  }
}

/** Words of the file and the codes they stand for; those without one first. */
export function Values({ values, onCode }: Props) {
  const { reference } = useWorkbench();
  return (
    <table className="values">
      <thead>
        <tr>
          <th scope="col">Found</th>
          <th scope="col">In</th>
          <th scope="col" className="num">
            Rows
          </th>
          <th scope="col">Means</th>
        </tr>
      </thead>
      <tbody>
        {values.slice(0, SHOWN).map((value) => {
          const choices = choicesOf(value.field, reference);
          const label = `Code of “${value.found}”`;
          return (
            <tr key={`${value.field} ${value.found}`}>
              <th scope="row">“{value.found}”</th>
              <td>{fieldInfo(value.field).title}</td>
              <td className="num">{COUNT.format(value.rows)}</td>
              <td>
                {choices ? (
                  <Picker
                    cell
                    label={label}
                    choices={choices}
                    value={value.code ?? ''}
                    pointer={`/values/${value.field}/${value.found}`}
                    placeholder="Name or code"
                    onChange={(code) => onCode(value, code === '' ? null : code)}
                  />
                ) : (
                  <TypedCode label={label} value={value} onCode={onCode} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function TypedCode({ label, value, onCode }: { label: string; value: ValueMatch } & Pick<Props, 'onCode'>) {
  const [typed, setTyped] = useState(value.code ?? '');
  const take = () => typed.trim() !== (value.code ?? '') && onCode(value, typed.trim() || null);
  return (
    <input
      className="typed-code"
      aria-label={label}
      placeholder="Code or number"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        take();
      }}
    />
  );
}
