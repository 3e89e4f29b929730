import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test } from 'vitest';

import { apart } from './lazyWithPreload';

const Word = () => <b>here</b>;

test('what was loaded before is drawn without its fallback', async () => {
  const { View, load } = apart(() => Promise.resolve(Word));
  await load();
  const { container } = render(
    <Suspense fallback="not yet">
      <View />
    </Suspense>,
  );
  expect(container.textContent).toBe('here');
});

test('what was not loaded is, and drawn then', async () => {
  const { View } = apart(() => Promise.resolve(Word));
  const { container, findByText } = render(
    <Suspense fallback="not yet">
      <View />
    </Suspense>,
  );
  expect(container.textContent).toBe('not yet');
  await findByText('here');
});
