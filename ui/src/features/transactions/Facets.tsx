import { useState } from 'react';

import type { Facet } from '../../bindings/operations';
import { Button } from '../../components';
import { formatCount } from '../../values';

/** Choices shown before "more" is pressed. */
const SHOWN = 8;

/** What the search can be narrowed by, with how many there are of each. */
interface Props {
  /** Chosen at once, while the counts are still on their way. */
  chosen(facet: string, value: string): boolean;
  onToggle(facet: string, value: string): void;
}

export function FacetFilters({ facets, ...rest }: Props & { facets: Facet[] }) {
  return (
    <section className="tx-facets" aria-label="Filter by">
      {facets
        .filter((facet) => facet.choices.length > 0)
        .map((facet) => (
          <FacetChoices key={facet.name} facet={facet} {...rest} />
        ))}
    </section>
  );
}

function FacetChoices({ facet, chosen, onToggle }: Props & { facet: Facet }) {
  const [all, setAll] = useState(false);
  const shown = all ? facet.choices : facet.choices.filter((choice, at) => at < SHOWN || choice.chosen);
  return (
    <fieldset>
      <legend>{facet.title}</legend>
      {shown.map((choice) => (
        <label key={choice.value} className="tx-choice">
          <input
            type="checkbox"
            checked={chosen(facet.name, choice.value)}
            onChange={() => onToggle(facet.name, choice.value)}
          />
          <span>{choice.title}</span>
          <span className="num">{formatCount(choice.count)}</span>
        </label>
      ))}
      {facet.choices.length > shown.length && (
        <Button small look="quiet" onClick={() => setAll(true)}>
          {facet.choices.length - shown.length} more
        </Button>
      )}
    </fieldset>
  );
}
