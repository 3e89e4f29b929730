import { useEffect, useId, useRef, useState } from 'react';

import type { QuoteRequest } from '../../bindings/operations';
import { Checkbox, Field, Icon, SelectField } from '../../components';
import { Term } from '../../components/Term';
import { useWorkbench } from '../../workbench/Workbench';
import { useQuoteBinding } from './PolicyFields';

const FLAGS = [
  { field: 'rpg', label: 'Risk purchasing group', short: 'purchasing group' },
  { field: 'ecp', label: 'Exempt commercial purchaser', short: 'exempt purchaser' },
  { field: 'tax_exempt', label: 'Tax-exempt insured', short: 'tax exempt' },
  { field: 'export_list', label: 'On the export list', short: 'export list' },
] as const;

const WRITTEN_AS = [
  { code: '', name: 'Not specified' },
  { code: 'B', name: 'Through a retail agent' },
  { code: 'DC', name: 'Direct' },
];

const POINTERS = new Set(['/rpg', '/ecp', '/tax_exempt', '/export_list', '/written_as', '/insured']);

/** What few quotes need, folded away; what is set shows in its summary. */
export function MoreFields() {
  const { quote } = useWorkbench();
  const { form } = quote;
  const { text, flag } = useQuoteBinding();
  const id = useId();
  const [opened, setOpened] = useState(false);
  const open = opened || quote.errors.some((each) => POINTERS.has(each.pointer));
  const fields = useRef<HTMLDivElement>(null);
  // They open below what is in sight.
  useEffect(() => {
    if (opened) fields.current?.scrollIntoView?.({ block: 'nearest' });
  }, [opened]);
  return (
    <div className="more">
      <button
        type="button"
        className="more-switch"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpened(!open)}
      >
        {summarizeSettings(form)}
        <Icon name={open ? 'down' : 'right'} />
      </button>
      <div id={id} ref={fields} className="pair grid" hidden={!open}>
        <Field label="Insured’s name" hint="Printed on the quote. Not sent to the calculator." {...text('insured')} />
        <SelectField label="Written as" choices={WRITTEN_AS} {...text('written_as')} />
        {FLAGS.map(({ field, label }) => (
          <Checkbox key={field} label={label} {...flag(field)} />
        ))}
        <p className="quiet-text">
          What these words mean: <Term word="account written as">written as</Term>, <Term>risk purchasing group</Term>,{' '}
          <Term>exempt commercial purchaser</Term>, <Term>export list</Term>, <Term>home state</Term>.
        </p>
      </div>
    </div>
  );
}

function summarizeSettings(form: QuoteRequest): string {
  const set: string[] = FLAGS.filter(({ field }) => form[field]).map(({ short }) => short);
  if (form.written_as === 'B') set.push('through a retail agent');
  if (form.written_as === 'DC') set.push('direct');
  if (form.insured.trim()) set.unshift(form.insured.trim());
  return set.length > 0
    ? `More (set: ${set.join(', ')})`
    : 'More: insured’s name, purchasing group, exemptions, written as';
}
