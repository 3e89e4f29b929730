import { useState } from 'react';

import { Button } from '../../components';
import { RateChangesDialog } from '../../components/RateChangesDialog';
import { useOperationAction } from '../../operations';
import { formatLongDate } from '../../values';
import { useWorkbench } from '../../workbench/Workbench';
import { DiagnosticsDialog } from './DiagnosticsDialog';
import { LicensesDialog } from './LicensesDialog';

export function AboutPanel() {
  const { reference } = useWorkbench();
  const [showsChanges, setShowsChanges] = useState(false);
  const [showsLicenses, setShowsLicenses] = useState(false);
  const [showsDiagnostics, setShowsDiagnostics] = useState(false);
  const logs = useOperationAction('logs_open');
  const unsure = reference.states.filter((state) => state.unsure > 0);
  const values = unsure.reduce((sum, state) => sum + state.unsure, 0);
  return (
    <section className="card card-body" aria-label="About">
      <h2>Bordereau {reference.version}</h2>
      <p>
        {reference.rules_from_pack ? 'The rules of the rules pack' : 'The built-in rules'} (version{' '}
        {reference.rules_version}) cover {reference.states.length} jurisdictions and were last checked on{' '}
        {formatLongDate(reference.rules_checked)}.
      </p>
      <div className="buttons">
        <Button onClick={() => setShowsChanges(true)}>Rate changes</Button>
        <Button onClick={() => setShowsLicenses(true)}>Licenses</Button>
        <Button onClick={() => logs.mutate({})}>Open logs</Button>
        <Button onClick={() => setShowsDiagnostics(true)}>Diagnostics</Button>
      </div>
      {showsDiagnostics && <DiagnosticsDialog onClose={() => setShowsDiagnostics(false)} />}
      {showsLicenses && <LicensesDialog onClose={() => setShowsLicenses(false)} />}
      {showsChanges && <RateChangesDialog onClose={() => setShowsChanges(false)} />}
      <p>
        {values} of their values in {unsure.length} jurisdictions aren’t confirmed by a current official page. Each
        charge in a quote shows its source and how certain it is.
      </p>
      <p className="quiet-text">{unsure.map((state) => `${state.name}\u00a0${state.unsure}`).join(', ')}</p>
      <p>
        Lines of business: {reference.lines.length}, {reference.lines_source}.
      </p>
    </section>
  );
}
