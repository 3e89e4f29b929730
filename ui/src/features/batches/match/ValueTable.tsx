import { useMemo, useState } from 'react';

import type { ProposedCode, ValueMatch } from '../../../bindings/operations';
import { Button, DataTable, Picker } from '../../../components';
import { useImportFields } from '../bordereauFields';
import { formatCount } from '../../../values';

interface Props {
  values: ValueMatch[];
  onCode(value: ValueMatch, code: string | null): void;
  /** The first of them takes the focus. */
  autoFocus?: boolean;
}

/** Each is a control of its own: the next ones are asked for. */
const SHOWN = 60;

const valueKey = (value: ValueMatch) => `${value.field} ${value.found.toLowerCase()}`;

/**
 * A word stays where it was first seen, as it was written there: the core lists matched ones last and in small
 * letters, and a row that jumps away from under the keyboard is lost.
 */
function useStableOrder(values: ValueMatch[]): ValueMatch[] {
  const [seen] = useState(() => new Map<string, ValueMatch>());
  return useMemo(() => {
    const now = new Map(values.map((value) => [valueKey(value), value]));
    for (const [key, value] of now) if (!seen.has(key)) seen.set(key, value);
    return [...seen].flatMap(([key, first]) => {
      const value = now.get(key);
      return value ? [{ ...value, found: first.found, rows: Math.max(first.rows, value.rows) }] : [];
    });
  }, [seen, values]);
}

/** Words of the file and the codes they stand for; those without one first. */
export function ValueTable({ values, onCode, autoFocus = false }: Props) {
  const fields = useImportFields();
  const steady = useStableOrder(values);
  const [shown, show] = useState(SHOWN);
  return (
    <>
      <DataTable
        className="values"
        label="Values and their codes"
        columns={['Value in file', 'Column', { num: 'Rows' }, 'Code']}
      >
        {steady.slice(0, shown).map((value, at) => {
          const { title, choices } = fields.find(value.field);
          const label = `Code for “${value.found}”`;
          return (
            <tr key={valueKey(value)}>
              <th scope="row">
                “{value.found}”
                {value.code === null && value.proposed && (
                  <Proposal proposed={value.proposed} onUse={(code) => onCode(value, code)} />
                )}
              </th>
              <td>{title}</td>
              <td className="num">{value.rows > 0 && formatCount(value.rows)}</td>
              <td>
                {choices.length > 0 ? (
                  <Picker
                    cell
                    label={label}
                    choices={choices}
                    value={value.code ?? ''}
                    pointer={`/values/${value.field}/${value.found}`}
                    placeholder="Name or code"
                    autoFocus={autoFocus && at === 0}
                    onChange={(code) => onCode(value, code === '' ? null : code)}
                  />
                ) : (
                  <CodeField label={label} value={value} onCode={onCode} />
                )}
              </td>
            </tr>
          );
        })}
      </DataTable>
      {steady.length > shown && (
        <p className="inset">
          {formatCount(shown)} of {formatCount(steady.length)} values.{' '}
          <Button small onClick={() => show(shown + SHOWN)}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

/** What a value may mean, with the reason; the button takes it. */
function Proposal({ proposed, onUse }: { proposed: ProposedCode; onUse(code: string): void }) {
  return (
    <p className="quiet-text">
      {proposed.reason}{' '}
      <Button small onClick={() => onUse(proposed.code)}>
        Use {proposed.code}
      </Button>
    </p>
  );
}

function CodeField({ label, value, onCode }: { label: string; value: ValueMatch } & Pick<Props, 'onCode'>) {
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
