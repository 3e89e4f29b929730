import './rates.css';

import { useState } from 'react';

import { useActions } from '../../../actions/ActionRegistry';
import type { RateStanding, RateView, StateRatesView } from '../../../bindings/operations';
import {
  Button,
  DataTable,
  DateField,
  QueryError,
  SourceLink,
  SURENESS_TAGS,
  Tag,
  useDebounced,
  ViewHeader,
  WordTag,
} from '../../../components';
import { useOperationQuery, usePrint } from '../../../operations';
import { formatDate, formatLongDate, isDate } from '../../../values';
import { useNavigation } from '../../../workbench/navigation';
import { useWorkbench } from '../../../workbench/Workbench';
import { PlaceList } from '../../../components/PlaceList';
import { SearchField } from '../../../components/SearchField';
import { Term } from '../../../components/Term';

const PAUSE_MS = 150;
/** Scrolled by keyboard too. */
const SCROLL_REGION = { tabIndex: 0, role: 'region', 'aria-label': 'Rates of the state' };

/** What every state charges, was charging and will charge, from the rules in use alone. */
export function RatesView() {
  const { reference, quote } = useWorkbench();
  const { subject } = useNavigation();
  const [on, setOn] = useState(reference.today);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(subject || quote.form.state);
  const list = useOperationQuery('rates_list', { state: '', on: isDate(on) ? on : '' }, { keepPrevious: true });
  const words = useDebounced(text, PAUSE_MS).trim().toLowerCase();
  const found = (list.data?.states ?? []).filter((state) => matches(state, words));
  const shown = found.find((state) => state.state === chosen) ?? found[0];
  const print = usePrint();
  useActions([{ id: 'rates.print', title: 'Print rates', group: 'Rates', keys: 'Mod+P', run: print }]);
  return (
    <div className="view rates">
      <ViewHeader
        title="Rates"
        note={`from ${reference.rules_from_pack ? 'a rules pack' : 'the built-in rules'}, checked ${formatLongDate(reference.rules_checked)}`}
      >
        <Button keys="Mod+P" disabledReason={!shown && 'No state matches.'} onClick={print}>
          Print
        </Button>
      </ViewHeader>
      <div className="rates-body">
        <div className="stack rates-states">
          <SearchField
            title="Search rates"
            group="Rates"
            placeholder="State, charge, or remark"
            value={text}
            onChange={setText}
          />
          <DateField label="On" value={on} today={reference.today} pointer="/on" onChange={setOn} />
          <PlaceList label="States" places={found.map(stateEntry)} current={shown?.state} onChoose={setChosen} />
        </div>
        <div className="scrolls lists rates-detail" {...SCROLL_REGION}>
          <QueryError of={list} />
          {shown && list.data && <StateRates state={shown} on={list.data.on} />}
          {list.data && !shown && <p className="none">No state and no charge matches “{text.trim()}”.</p>}
        </div>
      </div>
    </div>
  );
}

const stateEntry = ({ state, name }: StateRatesView) => ({
  id: state,
  title: (
    <>
      <b>{state}</b> {name}
    </>
  ),
});

function matches(state: StateRatesView, words: string): boolean {
  const rates = state.rates.flatMap(({ charge, note }) => [charge, note]);
  const remarks = state.remarks.flatMap((remark) => [remark.title, remark.text]);
  const text = [state.state, state.name, ...rates, ...remarks].join(' ').toLowerCase();
  return words.split(/\s+/).every((word) => text.includes(word));
}

const STANDINGS: { standing: RateStanding; title: (on: string) => string; none: string }[] = [
  { standing: 'current', title: (on) => `Charged on ${formatLongDate(on)}`, none: 'Nothing is charged on this day.' },
  { standing: 'coming', title: () => 'Announced for later', none: '' },
  { standing: 'past', title: () => 'Charged before', none: '' },
];

function StateRates({ state, on }: { state: StateRatesView; on: string }) {
  return (
    <>
      <h2>{state.name}</h2>
      {STANDINGS.map(({ standing, title, none }) => {
        const rates = state.rates.filter((rate) => rate.standing === standing);
        if (rates.length === 0 && none === '') return null;
        return (
          <section key={standing} className="card" aria-label={title(on)}>
            <h2>{title(on)}</h2>
            {rates.length === 0 ? <p className="none">{none}</p> : <RateTable rates={rates} />}
          </section>
        );
      })}
      <section className="card" aria-label="Fees, limits, and exemptions">
        <h2>
          Fees, limits, and <Term word="exemption">exemptions</Term>
        </h2>
        <DataTable columns={['Rule', 'In words', 'Certainty', 'Source']}>
          {state.remarks.map((remark) => (
            <tr key={remark.title + remark.text}>
              <td>{remark.title}</td>
              <td>{remark.text}</td>
              <td>
                <Certainty of={remark} />
              </td>
              <td>
                <Sources of={remark.sources} />
              </td>
            </tr>
          ))}
        </DataTable>
      </section>
    </>
  );
}

/** Of the same widths in each table of a state. */
const RATE_COLUMNS = [
  { text: 'Charge', width: '14rem' },
  { num: 'Rate', width: '6.5rem' },
  'On what, and source',
  { text: 'From', width: '10rem' },
  { text: 'Until', width: '9.5rem' },
  { text: 'Certainty', width: '11rem' },
];

function RateTable({ rates }: { rates: RateView[] }) {
  return (
    <DataTable columns={RATE_COLUMNS}>
      {rates.map((rate) => (
        <tr key={`${rate.charge} ${rate.rate} ${rate.from ?? ''} ${rate.basis}`}>
          <td>
            <ChargeTitle title={rate.charge} />
          </td>
          <td className="num">{rate.rate}</td>
          <td>
            {rate.basis}
            {rate.note !== '' && <span className="below">{rate.note}</span>}
            <Sources of={rate.sources} />
          </td>
          <td>{describeFrom(rate)}</td>
          <td className="no-wrap">{describeUntil(rate)}</td>
          <td>
            <Certainty of={rate} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** The charges that the glossary explains, whatever a state calls them. */
function ChargeTitle({ title }: { title: string }) {
  if (/stamping/i.test(title)) return <Term word="stamping fee">{title}</Term>;
  if (/surplus lines.* tax/i.test(title)) return <Term word="surplus lines tax">{title}</Term>;
  if (/municipal/i.test(title)) return <Term word="municipal tax">{title}</Term>;
  return title;
}

function describeFrom(rate: RateView): string {
  if (rate.from !== null) return formatDate(rate.from);
  return rate.known_from === null ? 'not found' : `${formatDate(rate.known_from)} or earlier`;
}

/** The last day; "not found" for an ended charge without a known one. */
function describeUntil(rate: RateView): string {
  if (rate.until !== null) return formatDate(rate.until);
  return rate.standing === 'past' ? 'not found' : '';
}

function Certainty({ of }: { of: Pick<RateView, 'sureness' | 'checked'> }) {
  const tag = SURENESS_TAGS[of.sureness];
  if (of.checked === tag.word) return <WordTag of={tag} />;
  return (
    <Tag tone={tag.tone} icon={tag.icon}>
      <span title={of.checked}>{tag.word}</span>
    </Tag>
  );
}

function Sources({ of }: { of: RateView['sources'] }) {
  return of.map((source) => (
    <span key={source.url + source.title} className="below">
      <SourceLink title={source.title} url={source.url} />
    </span>
  ));
}
