import glossary from '../../../docs/glossary.md?raw';
import { readChapters } from '../values/guideText';

/** Each word of the glossary with its meaning, without the words of engineers and the words not used. */
const MEANINGS = new Map(
  readChapters(glossary)
    .filter((chapter) => chapter.title === 'Insurance' || chapter.title === 'Bordereau')
    .flatMap((chapter) => chapter.blocks)
    .flatMap((block) => (block.kind === 'table' ? block.rows.slice(1) : []))
    .map(([word = '', meaning = '']) => [word.toLowerCase(), meaning]),
);

export function findMeaning(word: string): string | undefined {
  return MEANINGS.get(word.toLowerCase());
}
