import { findMeaning } from './glossaryMeanings';

/** What the glossary says of a word. */
export function TermMeaning({ word }: { word: string }) {
  return <>{findMeaning(word) ?? 'This word is not in the glossary.'}</>;
}
