import type { DayRange, TransactionSort, TransactionsFilter, TransactionsSearch } from '../../bindings/operations';
import type { Preset } from './datePresets';
import { rangeOfPreset } from './datePresets';
import type { StatePeriod } from '../../workbench/transactionPlace';

export type By = 'transaction_effective' | 'policy_effective' | 'filed';

export const BY = [
  { code: 'transaction_effective', name: 'Effective' },
  { code: 'policy_effective', name: 'Policy effective' },
  { code: 'filed', name: 'Filed' },
] as const;

/** What the person is looking for. */
export interface Search {
  filter: TransactionsFilter;
  sort: TransactionSort;
  ascending: boolean;
  /** Which date the range is of. */
  by: By;
  preset: Preset;
}

const NO_DAYS: DayRange = { from: '', to: '' };

export const NOTHING_CHOSEN: TransactionsFilter = {
  text: '',
  filed: NO_DAYS,
  policy_effective: NO_DAYS,
  transaction_effective: NO_DAYS,
  changed_since: '',
  states: [],
  types: [],
  statuses: [],
  documents: [],
  paid: [],
  due: [],
  months: [],
};

export const EVERYTHING: Search = {
  filter: NOTHING_CHOSEN,
  sort: 'id',
  ascending: false,
  by: 'transaction_effective',
  preset: 'any',
};

export type Change =
  | { do: 'text'; text: string }
  | { do: 'by'; by: By }
  | { do: 'preset'; preset: Preset; today: string }
  | { do: 'days'; days: DayRange }
  | { do: 'since'; since: string }
  | { do: 'toggle'; facet: string; value: string }
  | { do: 'sort'; sort: TransactionSort }
  | { do: 'order'; ascending: boolean }
  | { do: 'open'; search: TransactionsSearch }
  | { do: 'period'; of: StatePeriod }
  | { do: 'clear' };

type Listed = 'states' | 'types' | 'documents' | 'paid' | 'due' | 'months';
const LISTED = new Set(['states', 'types', 'documents', 'paid', 'due', 'months']);

function toggled<T>(list: T[], value: T): T[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
}

function withDays(filter: TransactionsFilter, by: By, days: DayRange): TransactionsFilter {
  return { ...filter, filed: NO_DAYS, policy_effective: NO_DAYS, transaction_effective: NO_DAYS, [by]: days };
}

export function daysOf({ filter, by }: Search): DayRange {
  return filter[by];
}

export function changed(search: Search, change: Change): Search {
  const { filter } = search;
  switch (change.do) {
    case 'text':
      return { ...search, filter: { ...filter, text: change.text } };
    case 'by':
      return { ...search, by: change.by, filter: withDays(filter, change.by, daysOf(search)) };
    case 'preset': {
      const days = change.preset === 'own' ? daysOf(search) : rangeOfPreset(change.preset, change.today);
      return { ...search, preset: change.preset, filter: withDays(filter, search.by, days) };
    }
    case 'days':
      return { ...search, preset: 'own', filter: withDays(filter, search.by, change.days) };
    case 'since':
      return { ...search, filter: { ...filter, changed_since: change.since } };
    case 'toggle': {
      if (change.facet === 'statuses') {
        return { ...search, filter: { ...filter, statuses: toggled(filter.statuses, Number(change.value)) } };
      }
      if (!LISTED.has(change.facet)) return search;
      const facet = change.facet as Listed;
      return { ...search, filter: { ...filter, [facet]: toggled(filter[facet], change.value) } };
    }
    case 'sort': {
      // The same column again turns the order around.
      const again = search.sort === change.sort;
      return { ...search, sort: change.sort, ascending: again ? !search.ascending : !largestFirst(change.sort) };
    }
    case 'order':
      return { ...search, ascending: change.ascending };
    case 'open': {
      const { filter: found, sort, ascending } = change.search;
      const by = BY.map((each) => each.code).find((code) => found[code].from !== '' || found[code].to !== '');
      return { filter: found, sort, ascending, by: by ?? 'transaction_effective', preset: by ? 'own' : 'any' };
    }
    case 'period': {
      const { state, days } = change.of;
      const found = { ...NOTHING_CHOSEN, states: [state], transaction_effective: days };
      return { ...search, filter: found, by: 'transaction_effective', preset: days.from === '' ? 'any' : 'own' };
    }
    case 'clear':
      return { ...EVERYTHING, sort: search.sort, ascending: search.ascending, by: search.by };
  }
}

function largestFirst(sort: TransactionSort): boolean {
  return !['policy_number', 'insured', 'state', 'transaction_type', 'invoice', 'due'].includes(sort);
}

/** As the core takes it, without a window. */
export function asRequest({ filter, sort, ascending }: Search): TransactionsSearch {
  return { filter, sort, ascending, from: 0, count: 0 };
}

/** Something is asked for: not everything is shown. */
export function isNarrowed({ filter }: Search): boolean {
  return JSON.stringify(filter) !== JSON.stringify(NOTHING_CHOSEN);
}
