import { useEffect, useRef } from 'react';

import type { FormsCheck } from '../../../bindings/operations';
import { Icon, Tag } from '../../../components';
import { useToasts } from '../../../operations';
import { pluralize } from '../../../values';

const TYPING_PAUSE_MS = 1500;

/** What is missing and what cannot stand, while the person types. */
export function FormCheckPanel({ check }: { check: FormsCheck | undefined }) {
  useAnnounceCheck(check);
  const problems = check?.findings.filter((finding) => finding.problem).length ?? 0;
  return (
    <section className="card card-body" aria-label="Check">
      <h2>Check</h2>
      {problems > 0 && (
        <p className="in-line problem">
          <Icon name="error" /> {pluralize(problems, 'entry needs', 'entries need')} attention
        </p>
      )}
      <ul className="stack">
        {check?.forms.map((form) => (
          <li key={form.key}>
            <span>
              {form.title}{' '}
              {form.missing.length === 0 ? (
                <Tag tone="ok" icon>
                  complete
                </Tag>
              ) : (
                <Tag tone="warn" icon>
                  {form.missing.length} missing
                </Tag>
              )}
            </span>
            {form.missing.length > 0 && (
              <ul className="quiet-text">
                {form.missing.slice(0, 6).map((missing) => (
                  <li key={missing.name}>{missing.label}</li>
                ))}
                {form.missing.length > 6 && <li>and {form.missing.length - 6} more</li>}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Read out once the typing rests: a form that became complete, an entry that cannot stand. What is still missing is not. */
function useAnnounceCheck(check: FormsCheck | undefined): void {
  const { announce } = useToasts();
  const wrong = check?.findings.filter((finding) => finding.problem).map((finding) => finding.message) ?? [];
  const complete = check?.forms.filter((form) => form.missing.length === 0).map((form) => form.title) ?? [];
  const words = [...wrong, ...complete.map((title) => `${title}: complete.`)].join(' ');
  const known = check !== undefined;
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (!known) return undefined;
    const timer = setTimeout(() => {
      const news = before.current !== undefined && before.current !== words;
      before.current = words;
      if (news && words !== '') announce(words);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [known, words, announce]);
}
