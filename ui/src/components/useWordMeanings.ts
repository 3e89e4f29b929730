import { useEffect, useState } from 'react';

/** What the glossary says of the trade's words in a text, a line each, for the pointer that rests on it. */
export function useWordMeanings(): (text: string) => string {
  const [explain, setExplain] = useState<(text: string) => string>(() => () => '');
  useEffect(() => {
    // The glossary is not needed before something is on screen.
    void import('./glossaryMeanings').then(({ explainWords }) =>
      setExplain(
        () => (text: string) =>
          explainWords(text)
            .map(({ word, meaning }) => `${word}: ${meaning}`)
            .join('\n'),
      ),
    );
  }, []);
  return explain;
}
