import { useState } from 'react';

import { Dialog } from '../../../components';
import { useBatchPlace } from '../../../workbench/batchPlace';

/** A place to paste into: it works in every web view, without a permission. */
export function PasteRowsDialog({ onClose }: { onClose(): void }) {
  const { startReview } = useBatchPlace();
  const [text, setText] = useState('');
  const startFromText = (cells: string) => {
    if (cells.trim() === '') return;
    onClose();
    startReview({ kind: 'pasted', text: cells });
  };
  return (
    <Dialog
      title="Paste rows"
      wide
      hasInput
      onClose={onClose}
      action={{
        label: 'Import rows',
        disabledReason: text.trim() === '' && 'Paste the rows first.',
        onClick: () => startFromText(text),
      }}
    >
      <label className="stack">
        Copy the rows from your spreadsheet, including the headings, and paste them here.
        <textarea
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            const cells = event.clipboardData.getData('text/plain');
            if (text !== '' || cells.trim() === '') return;
            event.preventDefault();
            startFromText(cells);
          }}
        />
      </label>
    </Dialog>
  );
}
