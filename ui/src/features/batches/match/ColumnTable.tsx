import type { ColumnMatch } from '../../../bindings/operations';
import { Button, DataTable, Tag, type TagLabel } from '../../../components';
import { useImportFields } from '../bordereauFields';

interface Props {
  columns: ColumnMatch[];
  onField(column: number, field: string | null): void;
}

const MATCH_REASONS: Record<string, TagLabel> = {
  template: { word: 'template', tone: 'ok' },
  remembered: { word: 'remembered', tone: 'ok' },
  name: { word: 'by name', tone: 'info' },
  content: { word: 'by content', tone: 'warn' },
  chosen: { word: 'your choice', tone: 'ok' },
  added: { word: 'not in the file', tone: 'neutral' },
  rule: { word: 'by a rule', tone: 'ok' },
  in_rule: { word: 'used by a rule', tone: 'ok' },
};

/** Each column of the file and the field it fills; those without one are not imported. */
export function ColumnTable({ columns, onField }: Props) {
  const fields = useImportFields();
  return (
    <DataTable className="columns" label="Columns in the file" columns={['Column', 'Examples', 'Field', 'Match']}>
      {columns
        .filter((column) => column.letters !== '')
        .map((column) => {
          const reason = MATCH_REASONS[column.reason];
          return (
            <tr key={column.column}>
              <th scope="row">
                <span className="quiet-text">{column.letters}</span> {column.header || 'no heading'}
              </th>
              <td className="examples cut" title={column.examples.join(', ')}>
                {column.examples.join('  ·  ')}
              </td>
              <td>
                <select
                  aria-label={`Field for column ${column.letters}, ${column.header}`}
                  className={column.field === null ? 'none-chosen' : ''}
                  value={column.field ?? ''}
                  onChange={(event) => onField(column.column, event.target.value || null)}
                >
                  <option value="">Don’t import</option>
                  {column.field !== null && !fields.list.some((each) => each.field === column.field) && (
                    <option value={column.field}>{fields.find(column.field).title}</option>
                  )}
                  {fields.list.map((each) => (
                    <option key={each.field} value={each.field}>
                      {each.title}
                    </option>
                  ))}
                </select>
              </td>
              <td>
                {column.field === null && column.reason !== 'in_rule' ? (
                  <Suggestion column={column} onField={onField} />
                ) : (
                  reason && <Tag tone={reason.tone}>{reason.word}</Tag>
                )}
              </td>
            </tr>
          );
        })}
    </DataTable>
  );
}

/** What a column without a field may be, with the reason; the button takes it. */
function Suggestion({ column, onField }: { column: ColumnMatch } & Pick<Props, 'onField'>) {
  const fields = useImportFields();
  const { proposed } = column;
  if (!proposed) return <span className="quiet-text">not imported</span>;
  const { field, reason } = proposed;
  return (
    <span className="quiet-text">
      not imported. {reason}{' '}
      {field !== null && (
        <Button small onClick={() => onField(column.column, field)}>
          Use {fields.find(field).title}
        </Button>
      )}
    </span>
  );
}
