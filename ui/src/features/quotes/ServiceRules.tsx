import type { RuleRow } from '../../bindings/operations';
import { DataTable } from '../../components';
import { Tag } from '../../components/Tag';

/** Rates, fee limits and rounding that the service says it applies, beside the built-in ones. */
export function ServiceRules({ rules }: { rules: readonly RuleRow[] }) {
  return (
    <DataTable
      className="service-rules"
      label="Rules of the service and built-in rules"
      columns={['Rule', 'Service', 'Built in', { hidden: 'Difference' }]}
    >
      {rules.map((rule) => (
        <tr key={rule.title}>
          <th scope="row">{rule.title}</th>
          <td>{rule.service}</td>
          <td>{rule.builtin ?? <span className="quiet-text">not known</span>}</td>
          <td>{rule.differs && <RuleDifference />}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function RuleDifference() {
  return (
    <Tag tone="warn" icon="warning">
      differs
    </Tag>
  );
}

function describeBuiltin({ builtin, differs }: RuleRow): string {
  if (builtin === null) return '.';
  return differs ? `; the built-in rules have ${builtin}.` : ', as do the built-in rules.';
}

/** The same for one charge, below its explanation. */
export function ServiceRuleLine({ rule }: { rule: RuleRow }) {
  return (
    <p className="service-rule">
      The service says that it applies <b>{rule.service}</b>
      {describeBuiltin(rule)} {rule.differs && <RuleDifference />}
    </p>
  );
}
