import { Suspense, useState } from 'react';

import { Button, lazyNamed } from '../../../components';

// With the catalog, which is not needed before someone asks.
const HelpDialog = lazyNamed(() => import('./IssueHelpDialog'), 'IssueHelpDialog');

/** "What is this?" at a problem: what the catalog of issues says of its code. */
export function IssueHelp({ code }: { code: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        What is this?
      </Button>
      {open && (
        <Suspense fallback={null}>
          <HelpDialog code={code} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
