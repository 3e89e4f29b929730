import type { FormDeclination, KnownCarrier } from '../../../bindings/operations';
import { DateField, Field } from '../../../components';
import { updateDeclination, fillFromKnownCarrier, NO_DECLINATION, countShownRows } from './formsRequest';
import { bindTexts } from '../../../components/bindTexts';
import { Term } from '../../../components/Term';

interface Props {
  rows: FormDeclination[];
  asked: number;
  carriers: KnownCarrier[];
  today: string;
  problem(pointer: string): string | undefined;
  onChange(rows: FormDeclination[]): void;
}

/** The carriers that declined, a row each. Carriers and reasons of earlier forms are suggested. */
export function DeclinationRows({ rows, asked, carriers, today, problem, onChange }: Props) {
  const distinct = (texts: string[]) => [...new Set(texts.filter(Boolean))];
  const codes = new Map(carriers.toReversed().map(({ carrier, naic }) => [carrier, naic]));
  return (
    <section className="card card-body" aria-label="Carriers that declined">
      <h2>
        <Term>Admitted</Term> carriers that declined
      </h2>
      <datalist id="diligent-carriers">
        {distinct(carriers.map(({ carrier }) => carrier)).map((name) => (
          <option key={name} value={name}>
            {codes.get(name)}
          </option>
        ))}
      </datalist>
      <datalist id="diligent-reasons">
        {distinct(carriers.map(({ reason }) => reason)).map((reason) => (
          <option key={reason} value={reason} />
        ))}
      </datalist>
      <div className="stack">
        {Array.from({ length: countShownRows(rows, asked) }, (_, at) => {
          const row = rows[at] ?? NO_DECLINATION;
          const change = (part: Partial<FormDeclination>) => onChange(updateDeclination(rows, at, part));
          const text = bindTexts(row, change, problem, `/declinations/${at}`);
          const ofCarrier = carriers.filter(
            ({ carrier }) => carrier.toLowerCase() === row.carrier.trim().toLowerCase(),
          );
          return (
            // Rows have no id of their own; they are never moved.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={at} className="declination" role="group" aria-label={`Declination ${at + 1}`}>
              <Field
                label="Carrier"
                list="diligent-carriers"
                maxLength={500}
                {...text('carrier')}
                onBlur={() => change(fillFromKnownCarrier(row, carriers))}
              />
              <Field label="NAIC" inputMode="numeric" maxLength={5} {...text('naic')} />
              <datalist id={`diligent-contacts-${at}`}>
                {distinct(ofCarrier.map(({ contact }) => contact)).map((contact) => (
                  <option key={contact} value={contact} />
                ))}
              </datalist>
              <Field label="Contact" list={`diligent-contacts-${at}`} maxLength={500} {...text('contact')} />
              <DateField label="Date" today={today} {...text('date')} />
              <Field label="Reason" list="diligent-reasons" maxLength={500} {...text('reason')} />
            </div>
          );
        })}
      </div>
    </section>
  );
}
