import { useState } from 'react';

import glossary from '../../../../docs/glossary.md?raw';
import guide from '../../../../docs/guide.md?raw';
import { Button, Dialog, Field } from '../../components';
import { GuideBlocks } from '../../components/GuideBlocks';
import { PlaceList } from '../../components/PlaceList';
import { type GuideChapter, readChapters } from '../../values/guideText';
import { useHelpChapter } from './useHelpChapter';

const CHAPTERS = [
  ...readChapters(guide),
  ...readChapters(glossary).map((chapter) => ({ ...chapter, title: `Glossary: ${chapter.title}` })),
];

/** The guide, which needs no network: the chapter of where the person is, or those with the words searched for. */
export function HelpDialog({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const here = useHelpChapter();
  const [chosen, setChosen] = useState(here);
  const [text, setText] = useState('');
  const words = text.trim().toLowerCase().split(/\s+/);
  const found = CHAPTERS.filter((chapter) => words.every((word) => chapter.words.includes(word)));
  const shown = found.find((chapter) => chapter.id === chosen) ?? found[0];
  return (
    <Dialog
      title="Help"
      wide
      onClose={onClose}
      foot={
        <>
          <Button keys="?" onClick={onKeys}>
            Keyboard shortcuts
          </Button>
          <span className="spring" />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="help">
        <div className="stack">
          <Field label="Search the guide" value={text} onChange={setText} />
          <PlaceList label="Chapters" places={found} current={shown?.id} onChoose={setChosen} />
          {found.length === 0 && <p className="quiet-text">Nothing found in the guide.</p>}
        </div>
        {shown && <Chapter chapter={shown} words={text.trim() === '' ? [] : words} />}
      </div>
    </Dialog>
  );
}

/** Of a table only the rows with the words searched for are shown: the glossary is long. */
function Chapter({ chapter, words }: { chapter: GuideChapter; words: string[] }) {
  const region = { tabIndex: 0, role: 'region', 'aria-label': chapter.title };
  return (
    <div className="stack scrolls help-chapter" {...region}>
      <h3>{chapter.title}</h3>
      <GuideBlocks blocks={chapter.blocks} words={words} />
    </div>
  );
}
