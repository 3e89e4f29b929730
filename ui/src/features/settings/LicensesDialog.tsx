import { useEffect, useState } from 'react';

import { Dialog } from '../../components/Dialog';

/** The license texts of everything that ships: a megabyte, read when it is asked for. */
export function LicensesDialog({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('');
  useEffect(() => {
    import('virtual:license-notices').then(
      (module) => setText(module.default),
      () => setText('The license texts couldn’t be read. They are in the file THIRD-PARTY-NOTICES.txt of the package.'),
    );
  }, []);
  return (
    <Dialog title="Licenses" onClose={onClose} wide scrollLabel="Licenses of the parts of Bordereau">
      {text === '' ? <p>Working…</p> : <pre className="license-texts">{text}</pre>}
    </Dialog>
  );
}
