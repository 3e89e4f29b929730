import { type GuideBlock, readInline } from '../values/guideText';

interface Props {
  blocks: GuideBlock[];
  /** Of a table only the rows with these words are shown, where any has them. */
  words?: string[];
}

const NO_WORDS: string[] = [];

/** A part of a page of the documentation: the guide, the glossary, the catalog of issues. */
export function GuideBlocks({ blocks, words = NO_WORDS }: Props) {
  return blocks.map((block, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Block key={index} block={block} words={words} />
  ));
}

function Block({ block, words }: { block: GuideBlock; words: string[] }) {
  if (block.kind === 'quote')
    return (
      <blockquote>
        <Inline text={block.text} />
      </blockquote>
    );
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
