import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { ReferenceData } from '../bindings/operations';
import { showWithAnswers } from '../testing';
import { Term } from './Term';
import { explainWords, findMeaning } from './glossaryMeanings';

test('a word shows its meaning when the keyboard reaches it, and a screen reader reads it', async () => {
  showWithAnswers(<Term word="exemption">exemptions</Term>, {} as ReferenceData, {});
  const word = await screen.findByRole('button', { name: 'exemptions' });
  await userEvent.tab();
  expect(document.activeElement).toBe(word);
  await screen.findByText(/^What a state does not tax/);
  const meaning = screen.getByRole('tooltip');
  expect(word.getAttribute('aria-describedby')).toBe(meaning.id);
});

/** Each word that the window marks is in the glossary. */
test('every marked word is explained', async () => {
  const sources = import.meta.glob<string>('../features/**/*.tsx', { query: '?raw', import: 'default' });
  const texts = await Promise.all(Object.values(sources).map((load) => load()));
  const marked = texts.flatMap((text) =>
    [...text.matchAll(/<Term(?: word="([^"]+)")?>([^<{]*)<\/Term>/g)].map((found) => found[1] ?? found[2] ?? ''),
  );
  expect(marked.length).toBeGreaterThan(4);
  expect(marked.filter((word) => findMeaning(word) === undefined)).toEqual([]);
});

test('the trade’s words of a sentence are found, one and several, the longest first', () => {
  const words = (text: string) => explainWords(text).map(({ word }) => word);
  expect(words('2 return premiums of policies')).toEqual(['return premium', 'policy']);
  expect(words('Lines of business')).toEqual(['line of business']);
  expect(words('Policyholder, 4 rows')).toEqual([]);
});
