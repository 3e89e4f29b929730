import { useState } from 'react';

import glossary from '../../../../docs/glossary.md?raw';
import guide from '../../../../docs/guide.md?raw';
import { Button, Dialog, Field } from '../../components';
import { VIEWS } from '../../views';
import { useNavigation } from '../../workbench/navigation';
import { type GuideBlock, type GuideChapter, readChapters, readInline } from './guideText';

const CHAPTERS = [
  ...readChapters(guide),
  ...readChapters(glossary).map((chapter) => ({ ...chapter, title: `Glossary: ${chapter.title}` })),
];

/** The guide, which needs no network: the chapter of the view on screen, or those with the words searched for. */
export function HelpDialog({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const { view } = useNavigation();
  const [chosen, setChosen] = useState<string>(VIEWS[view].chapter);
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
          <nav aria-label="Chapters" className="places">
            {found.map((chapter) => (
              <button
                key={chapter.title}
                type="button"
                aria-current={chapter === shown ? 'true' : undefined}
                onClick={() => setChosen(chapter.id)}
              >
                {chapter.title}
              </button>
            ))}
          </nav>
          {found.length === 0 && <p className="quiet-text">Nothing in the guide has these words.</p>}
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
      {chapter.blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} words={words} />
      ))}
    </div>
  );
}

function Block({ block, words }: { block: GuideBlock; words: string[] }) {
  if (block.kind === 'code') return <pre className="raw-text">{block.text}</pre>;
  if (block.kind === 'heading') return <h4>{block.text}</h4>;
  if (block.kind === 'table') {
    const [head = [], ...rows] = block.rows;
    const fitting = rows.filter((row) => words.every((word) => row.join(' ').toLowerCase().includes(word)));
    return (
      <dl className="facts" aria-label={head.join(', ')}>
        {(fitting.length > 0 ? fitting : rows).map(([term = '', ...rest]) => (
          <div key={term}>
            <dt>
              <Inline text={term} />
            </dt>
            <dd>
              <Inline text={rest.join(' ')} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul';
    return (
      <List className="numbered">
        {block.items.map((item) => (
          <li key={item}>
            <Inline text={item} />
          </li>
        ))}
      </List>
    );
  }
  return (
    <p>
      <Inline text={block.text} />
    </p>
  );
}

function Inline({ text }: { text: string }) {
  return readInline(text).map((part, index) => {
    // oxlint-disable-next-line react/no-array-index-key
    if (part.look === 'bold') return <b key={index}>{part.text}</b>;
    // oxlint-disable-next-line react/no-array-index-key
    if (part.look === 'code') return <code key={index}>{part.text}</code>;
    return part.text;
  });
}
