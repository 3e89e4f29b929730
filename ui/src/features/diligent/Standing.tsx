import type { FormsCheck } from '../../bindings/operations';
import { Icon } from '../../components/Icon';
import { Tag } from '../../components/Tag';

/** What is missing and what cannot stand, while the person types. */
export function Standing({ check }: { check: FormsCheck | undefined }) {
  const problems = check?.findings.filter((finding) => finding.problem).length ?? 0;
  return (
    <section className="card diligent-card" aria-label="Check" aria-live="polite">
      <h2>Check</h2>
      {problems > 0 && (
        <p className="diligent-problems">
          <Icon name="error" /> {problems === 1 ? '1 entry needs attention' : `${problems} entries need attention`}
        </p>
      )}
      <ul className="diligent-standing">
        {check?.forms.map((form) => (
          <li key={form.key}>
            <span>
              {form.title}{' '}
              {form.missing.length === 0 ? (
                <Tag tone="ok" icon="check">
                  complete
                </Tag>
              ) : (
                <Tag tone="warn" icon="warning">
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
