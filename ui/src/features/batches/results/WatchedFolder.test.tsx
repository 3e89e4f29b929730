import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ReferenceData, WatchView } from '../../../bindings/operations';
import { showWithAnswers } from '../../../testing';
import { WatchedFolder } from './WatchedFolder';

const reference = {} as ReferenceData;

test('a folder is chosen, its troubles are named, and the watch is ended', async () => {
  let now: WatchView = { folder: '', remark: '', arrivals: [] };
  const arrivals = [
    { number: 2, name: 'scan.csv', review: '', problem: 'This is a picture, not a table.' },
    { number: 1, name: 'may.csv', review: 'r1', problem: '' },
  ];
  showWithAnswers(<WatchedFolder />, reference, {
    watch_state: () => now,
    watch_choose: () => (now = { folder: 'Exports', remark: '', arrivals }),
    watch_end: () => (now = { folder: '', remark: '', arrivals: [] }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Watch a folder…' }));
  expect(await screen.findByText('Exports')).toBeDefined();
  const failed = screen.getByRole('list', { name: 'Files that could not be read' });
  expect(failed.textContent).toBe('scan.csv: This is a picture, not a table.');
  await user.click(screen.getByRole('button', { name: 'Stop watching' }));
  expect(await screen.findByRole('button', { name: 'Watch a folder…' })).toBeDefined();
});
