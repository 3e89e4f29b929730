import type { Dispatch, Ref } from 'react';

import type { SavedSearches, TransactionColumnInfo } from '../../bindings/operations';
import { Button, DateField, Field, SelectField } from '../../components';
import { useWorkbench } from '../../workbench/Workbench';
import { type DatePreset, DATE_PRESETS } from './datePresets';
import {
  DATE_FIELDS,
  type DateFieldName,
  type SearchAction,
  searchRange,
  isNarrowed,
  type SearchState,
} from './searchState';

interface Props {
  search: SearchState;
  change: Dispatch<SearchAction>;
  lastVisit: string;
  saved: SavedSearches | undefined;
  columns: TransactionColumnInfo[];
  onSaved(name: string): void;
  onSave(): void;
  field: Ref<HTMLInputElement>;
  /** Down or Enter in "Find": what was found is next. */
  onLeave(): void;
}

/** What is looked for: words while typing, days, order, saved searches. */
export function FilterBar({ search, change, lastVisit, saved, columns, onSaved, onSave, field, onLeave }: Props) {
  const { reference } = useWorkbench();
  const sortChoices = columns.flatMap(({ sort, title }) => (sort ? [{ code: sort, name: title }] : []));
  const days = searchRange(search);
  const { text, changed_since: since } = search.filter;
  const names = (saved?.searches ?? []).map(({ name }) => ({ code: name, name }));
  return (
    <div className="buttons at-end tx-bar-filter" role="search">
      <Field
        ref={field}
        label="Find"
        className="tx-find"
        placeholder="Insured, policy, invoice, amount, state…"
        value={text}
        onChange={(typed) => change({ do: 'text', text: typed })}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || !['ArrowDown', 'Enter'].includes(event.key)) return;
          event.preventDefault();
          onLeave();
        }}
      />
      <SelectField
        label="Date"
        choices={DATE_FIELDS}
        value={search.by}
        onChange={(by) => change({ do: 'by', by: by as DateFieldName })}
      />
      <SelectField
        label="Range"
        choices={DATE_PRESETS}
        value={search.preset}
        onChange={(preset) => change({ do: 'preset', preset: preset as DatePreset, today: reference.today })}
      />
      {search.preset === 'own' && (
        <>
          <DateField
            label="From"
            pointer="/filter/from"
            today={reference.today}
            value={days.from}
            onChange={(from) => change({ do: 'days', days: { ...days, from } })}
          />
          <DateField
            label="To"
            pointer="/filter/to"
            today={reference.today}
            value={days.to}
            onChange={(to) => change({ do: 'days', days: { ...days, to } })}
          />
        </>
      )}
      <SelectField
        label="Sort by"
        choices={sortChoices}
        value={search.sort}
        onChange={(sort) => {
          const found = sortChoices.find((each) => each.code === sort);
          if (found && found.code !== search.sort) change({ do: 'sort', sort: found.code });
        }}
      />
      <Button
        aria-label={search.ascending ? 'Ascending; reverse' : 'Descending; reverse'}
        onClick={() => change({ do: 'order', ascending: !search.ascending })}
      >
        <span aria-hidden="true">{search.ascending ? '▲' : '▼'}</span>
      </Button>
      <Button
        aria-pressed={since !== ''}
        disabledReason={lastVisit === '' && since === '' && 'No earlier visit to compare with.'}
        onClick={() => change({ do: 'since', since: since === '' ? lastVisit : '' })}
      >
        Since last visit
      </Button>
      {names.length > 0 && <SelectField label="Saved" choices={names} value="" onChange={onSaved} />}
      <Button onClick={onSave}>Save…</Button>
      {isNarrowed(search) && (
        <Button look="quiet" onClick={() => change({ do: 'clear' })}>
          Show all
        </Button>
      )}
    </div>
  );
}
