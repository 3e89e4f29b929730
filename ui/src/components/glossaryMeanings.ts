import glossary from '../../../docs/glossary.md?raw';
import { readChapters } from '../values/guideText';

const CHAPTERS = readChapters(glossary);

/** The words of a chapter with their meanings. */
function readWords(title: string): [word: string, meaning: string][] {
  return CHAPTERS.filter((chapter) => chapter.title === title)
    .flatMap((chapter) => chapter.blocks)
    .flatMap((block) => (block.kind === 'table' ? block.rows.slice(1) : []))
    .map(([word = '', meaning = '']) => [word.toLowerCase(), meaning]);
}

const TRADE_WORDS = readWords('Insurance');
/** Without the words of engineers and the words not used. */
const MEANINGS = new Map([...TRADE_WORDS, ...readWords('Bordereau')]);

export function findMeaning(word: string): string | undefined {
  return MEANINGS.get(word.toLowerCase());
}

/** The trade's words, one of them and several; the longest first: "return premium" is no "premium". */
const PATTERNS = TRADE_WORDS.toSorted(([one], [other]) => other.length - one.length).map(([word, meaning]) => {
  const [noun = '', ...rest] = word.split(/(?= of )/);
  const pattern = new RegExp(`\\b${noun.replace(/y$/, '(?:y|ie)')}s?${rest.join('')}\\b`, 'gi');
  return { word, meaning, pattern };
});

/** The trade's words in a text, with their meanings. */
export function explainWords(text: string): { word: string; meaning: string }[] {
  let rest = text;
  return PATTERNS.filter(({ pattern }) => {
    const before = rest;
    rest = rest.replaceAll(pattern, ' ');
    return rest !== before;
  });
}
