import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { EditorExit } from './CellEditor';
import { CodeEditor } from './CodeEditor';

const STATES = [
  { code: 'IN', name: 'Indiana' },
  { code: 'KS', name: 'Kansas' },
  { code: 'TX', name: 'Texas' },
];

function open(change: Partial<Parameters<typeof CodeEditor>[0]> = {}) {
  const onDone = vi.fn<(text: string, leave: EditorExit) => void>();
  const onCancel = vi.fn<() => void>();
  render(
    <CodeEditor
      label="State of the risk, row 2"
      text=""
      typed={false}
      isOpen
      choices={STATES}
      isList={false}
      style={{}}
      onDone={onDone}
      onCancel={onCancel}
      {...change}
    />,
  );
  return { onDone, onCancel, options: () => screen.getAllByRole('option').map((option) => option.textContent) };
}

test('the list is open, filtered by what is typed, and chosen from by keyboard alone', async () => {
  const { onDone, options } = open();
  const user = userEvent.setup();
  expect(options()).toEqual(['IndianaIN', 'KansasKS', 'TexasTX']);
  await user.keyboard('tex');
  expect(options()).toEqual(['TexasTX']);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onDone.mock.calls).toEqual([['TX', 'down']]);
});

test.each([
  ['texas{Enter}', 'TX', 'down'],
  ['tx{Tab}', 'TX', 'next'],
  ['Ohio river{Enter}', 'Ohio river', 'down'],
  ['k{ArrowDown}{Tab}', 'KS', 'next'],
])('%s leaves %j', async (keys, text, exit) => {
  const { onDone } = open();
  await userEvent.setup().keyboard(keys);
  expect(onDone.mock.calls).toEqual([[text, exit]]);
});

test('Escape takes everything back', async () => {
  const { onDone, onCancel } = open();
  const user = userEvent.setup();
  await user.keyboard('kan{Escape}');
  expect(onCancel).toHaveBeenCalledOnce();
  expect(onDone).not.toHaveBeenCalled();
});

test('of several codes the last one is chosen', async () => {
  const { onDone, options } = open({ text: 'TX | ', isList: true });
  const user = userEvent.setup();
  await user.keyboard('{End}kan');
  expect(options()).toEqual(['KansasKS']);
  await user.click(screen.getByRole('option'));
  expect(onDone.mock.calls).toEqual([['TX | KS', 'here']]);
});
