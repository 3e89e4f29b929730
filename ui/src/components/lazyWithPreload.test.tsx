import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test } from 'vitest';

import { lazyWithPreload } from './lazyWithPreload';

const Word = () => <b>here</b>;

test('what was loaded before is drawn without its fallback', async () => {
  const { View, preload } = lazyWithPreload(() => Promise.resolve(Word));
  await preload();
  const { container } = render(
    <Suspense fallback="not yet">
      <View />
    </Suspense>,
  );
  expect(container.textContent).toBe('here');
});

test('what was not loaded is, and drawn then', async () => {
  const { View } = lazyWithPreload(() => Promise.resolve(Word));
  const { container, findByText } = render(
    <Suspense fallback="not yet">
      <View />
    </Suspense>,
  );
  expect(container.textContent).toBe('not yet');
  await findByText('here');
});
