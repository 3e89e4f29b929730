import type { DayRange, TransactionSort, TransactionsFilter, TransactionsSearch } from '../../bindings/operations';
import type { DatePreset } from './datePresets';
import { presetRange } from './datePresets';
import { BLANK_FILTER, OPEN_RANGE } from '../../workbench/transactionChoices';
import type { StatePeriod } from '../../workbench/transactionPlace';

export type DateFieldName = 'transaction_effective' | 'policy_effective' | 'filed';

export const DATE_FIELDS = [
  { code: 'transaction_effective', name: 'Effective' },
  { code: 'policy_effective', name: 'Policy effective' },
  { code: 'filed', name: 'Filed' },
] as const;

/** What the person is looking for. */
export interface SearchState {
  filter: TransactionsFilter;
  sort: TransactionSort;
  ascending: boolean;
  /** Which date the range is of. */
  by: DateFieldName;
  preset: DatePreset;
}

export const BLANK_SEARCH: SearchState = {
  filter: BLANK_FILTER,
  sort: 'id',
  ascending: false,
  by: 'transaction_effective',
  preset: 'any',
};

export type SearchAction =
  | { do: 'text'; text: string }
  | { do: 'by'; by: DateFieldName }
  | { do: 'preset'; preset: DatePreset; today: string }
  | { do: 'days'; days: DayRange }
  | { do: 'since'; since: string }
  | { do: 'toggle'; facet: string; value: string }
  | { do: 'sort'; sort: TransactionSort }
  | { do: 'order'; ascending: boolean }
  | { do: 'open'; search: TransactionsSearch }
  | { do: 'period'; of: StatePeriod }
  | { do: 'clear' };

/** A part of the filter that is a list of values. */
type ListFacet = {
  [Name in keyof TransactionsFilter]: TransactionsFilter[Name] extends string[] ? Name : never;
}[keyof TransactionsFilter];

export function isChosen({ filter }: SearchState, facet: string, value: string): boolean {
  const chosen = filter[facet as ListFacet];
  return Array.isArray(chosen) && chosen.includes(value);
}

function toggleValue<T>(list: T[], value: T): T[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
}

function setRange(filter: TransactionsFilter, by: DateFieldName, days: DayRange): TransactionsFilter {
  return { ...filter, filed: OPEN_RANGE, policy_effective: OPEN_RANGE, transaction_effective: OPEN_RANGE, [by]: days };
}

export function searchRange({ filter, by }: SearchState): DayRange {
  return filter[by];
}

export function reduceSearch(search: SearchState, change: SearchAction): SearchState {
  const { filter } = search;
  switch (change.do) {
    case 'text':
      return { ...search, filter: { ...filter, text: change.text } };
    case 'by':
      return { ...search, by: change.by, filter: setRange(filter, change.by, searchRange(search)) };
    case 'preset': {
      const days = change.preset === 'own' ? searchRange(search) : presetRange(change.preset, change.today);
      return { ...search, preset: change.preset, filter: setRange(filter, search.by, days) };
    }
    case 'days':
      return { ...search, preset: 'own', filter: setRange(filter, search.by, change.days) };
    case 'since':
      return { ...search, filter: { ...filter, changed_since: change.since } };
    case 'toggle': {
      const facet = change.facet as ListFacet;
      if (!Array.isArray(filter[facet])) return search;
      return { ...search, filter: { ...filter, [facet]: toggleValue(filter[facet], change.value) } };
    }
    case 'sort': {
      // The same column again turns the order around.
      const again = search.sort === change.sort;
      return { ...search, sort: change.sort, ascending: again ? !search.ascending : !isLargestFirst(change.sort) };
    }
    case 'order':
      return { ...search, ascending: change.ascending };
    case 'open': {
      const { filter: found, sort, ascending } = change.search;
      const by = DATE_FIELDS.map((each) => each.code).find((code) => found[code].from !== '' || found[code].to !== '');
      return { filter: found, sort, ascending, by: by ?? 'transaction_effective', preset: by ? 'own' : 'any' };
    }
    case 'period': {
      const { state, days } = change.of;
      const found = { ...BLANK_FILTER, states: [state], transaction_effective: days };
      return { ...search, filter: found, by: 'transaction_effective', preset: days.from === '' ? 'any' : 'own' };
    }
    case 'clear':
      return { ...BLANK_SEARCH, sort: search.sort, ascending: search.ascending, by: search.by };
  }
}

function isLargestFirst(sort: TransactionSort): boolean {
  return !['policy_number', 'insured', 'state', 'transaction_type', 'invoice', 'due'].includes(sort);
}

/** As the core takes it, without a window. */
export function toSearchRequest({ filter, sort, ascending }: SearchState): TransactionsSearch {
  return { filter, sort, ascending, from: 0, count: 0 };
}

/** Something is asked for: not everything is shown. */
export function isNarrowed({ filter }: SearchState): boolean {
  return JSON.stringify(filter) !== JSON.stringify(BLANK_FILTER);
}
