import type { IssueGroupView } from '../../../bindings/operations';
import { Button, Tag, type TagTone } from '../../../components';
import { useWordMeanings } from '../../../components/useWordMeanings';
import { formatCount, pluralize } from '../../../values';
import { useImportFields } from '../bordereauFields';
import { IssueHelp } from './IssueHelp';

interface Props {
  groups: IssueGroupView[];
  /** The group the person works on. */
  chosen: string;
  only: boolean;
  onChoose(group: IssueGroupView): void;
  onOnly(group: IssueGroupView): void;
  onFix(group: IssueGroupView): void;
  onKeep(group: IssueGroupView): void;
  onAttach(): void;
  /** A missing value may stand in a column that is not matched. */
  onMatch(): void;
  unmatched: boolean;
}

const TONES: Record<string, TagTone> = { error: 'error', warning: 'warn', kept: 'neutral' };

/** They are counted as sent, not among the errors. */
const SENT_BEFORE = 'sent_before';

/** The repair that asks for the code of a word. */
export const MATCH_VALUES = 'match_values';

/** The repair that asks for one value for all rows. */
export const SET_VALUE = 'set_value';

/** A repair that asks something first says so. */
export function fixLabel(fix: string, label: string): string {
  return fix === MATCH_VALUES || fix === SET_VALUE ? `${label}…` : label;
}

/** What is repaired by how the file is read. */
const BY_MATCHING: Record<string, string> = {
  date_order_open: 'Choose mm/dd or dd/mm…',
  not_in_encoding: 'Choose the encoding…',
  columns_differ: 'Change the matching…',
};

/** What is wrong, grouped by its repair. */
export function IssueGroups({
  groups,
  chosen,
  only,
  onChoose,
  onOnly,
  onFix,
  onKeep,
  onAttach,
  onMatch,
  unmatched,
}: Props) {
  const { nameFields } = useImportFields();
  const explain = useWordMeanings();
  if (groups.length === 0)
    return (
      <section className="groups" aria-label="Issues">
        <div className="group-none">
          <strong>No issues found</strong>
          <p>Every row is ready to send.</p>
        </div>
      </section>
    );
  return (
    <section className="groups" aria-label="Issues" data-part>
      {groups.map((group) => {
        const on = group.code === chosen;
        return (
          // The whole card is a larger target of its first button, which the keyboard has.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div
            key={group.code}
            title={group.title}
            className={`group ${on ? 'on' : ''}`}
            onClick={() => onChoose(group)}
          >
            <div className="split group-head">
              <h2>
                <button type="button" className="group-title" aria-pressed={on}>
                  <span title={explain(nameFields(group.headline)) || undefined}>{nameFields(group.headline)}</span>
                </button>
              </h2>
              <Tag tone={group.code === SENT_BEFORE ? 'neutral' : (TONES[group.severity] ?? 'warn')}>
                {formatCount(group.rows)}
                <span className="only-read">
                  {group.rows === 1 ? ' row' : ' rows'}{' '}
                  {group.code === SENT_BEFORE
                    ? 'sent before'
                    : group.severity === 'kept'
                      ? 'with kept warnings'
                      : `with ${group.severity}s`}
                </span>
              </Tag>
            </div>
            <p>{nameFields(group.summary)}</p>
            {group.examples.length > 0 && (
              <ul className="group-examples">
                {group.examples.map((example) => (
                  <li key={example}>{nameFields(example)}</li>
                ))}
              </ul>
            )}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
            <div className="buttons group-buttons" onClick={(event) => event.stopPropagation()}>
              {group.fix !== null && (
                <Button small onClick={() => onFix(group)}>
                  {fixLabel(group.fix, group.fix_label ?? `Repair ${pluralize(group.rows, 'row')}`)}
                </Button>
              )}
              {BY_MATCHING[group.code] !== undefined && (
                <Button small onClick={onMatch}>
                  {BY_MATCHING[group.code]}
                </Button>
              )}
              {group.code === 'document_missing' && (
                <Button small onClick={onAttach}>
                  Attach documents…
                </Button>
              )}
              {unmatched && (group.fix ?? SET_VALUE) === SET_VALUE && group.code.startsWith('missing') && (
                <Button small onClick={onMatch}>
                  Match a column…
                </Button>
              )}
              {on && group.severity === 'warning' && (
                <Button look="quiet" small onClick={() => onKeep(group)}>
                  Keep all…
                </Button>
              )}
              {on && (
                <Button look="quiet" small aria-pressed={only} onClick={() => onOnly(group)}>
                  {only ? 'Show all rows' : 'Only these rows'}
                </Button>
              )}
              {on && <IssueHelp code={group.code} />}
            </div>
          </div>
        );
      })}
    </section>
  );
}
