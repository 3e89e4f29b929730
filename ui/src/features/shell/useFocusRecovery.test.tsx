import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import type { ReferenceData } from '../../bindings/operations';
import { Button, Dialog } from '../../components';
import { showWithAnswers } from '../../testing';
import { useFocusRecovery } from './useFocusRecovery';

function Suggestions() {
  useFocusRecovery();
  const [isUsed, setUsed] = useState(false);
  return (
    <Dialog title="Match values" onClose={() => undefined}>
      <p>
        {!isUsed && <Button onClick={() => setUsed(true)}>Use</Button>}
        <input aria-label="Code" />
      </p>
    </Dialog>
  );
}

test('a button that goes away in a dialog leaves the focus to its neighbor', async () => {
  showWithAnswers(<Suggestions />, {} as ReferenceData, {});
  await userEvent.click(await screen.findByRole('button', { name: 'Use' }));
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Code' }));
});
