/** One block of the guide: a paragraph, the items of a list, the rows of a table, or a command. */
export type GuideBlock =
  | { kind: 'text' | 'code' | 'heading' | 'quote'; text: string }
  | { kind: 'list'; ordered: boolean; items: string[] }
  | { kind: 'table'; rows: string[][] };

/** A chapter of the guide. */
export interface GuideChapter {
  id: string;
  title: string;
  /** All of its words in lower case, for searching. */
  words: string;
  blocks: GuideBlock[];
}

/** The chapters of a page of the documentation, which uses few of Markdown's forms. */
export function readChapters(markdown: string): GuideChapter[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((chapter) => {
      const [title = '', ...lines] = chapter.split('\n');
      return {
        id: title
          .toLowerCase()
          .replaceAll(/[^a-z0-9 _]/g, '')
          .replaceAll(' ', '-'),
        title,
        words: chapter.toLowerCase(),
        blocks: readBlocks(lines.join('\n')),
      };
    });
}

function readBlocks(text: string): GuideBlock[] {
  // A command may have empty lines in it.
  return text.split(/(^```[\s\S]*?^```$)/m).flatMap((part): GuideBlock[] => {
    if (part.startsWith('```')) return [{ kind: 'code', text: part.replaceAll(/^```.*$/gm, '').trim() }];
    return part
      .split(/\n\s*\n/)
      .filter((block) => block.trim() !== '')
      .map(readBlock);
  });
}

function readBlock(block: string): GuideBlock {
  const lines = block.trim().split('\n');
  const first = lines[0] ?? '';
  if (first.startsWith('|'))
    return {
      kind: 'table',
      rows: lines
        .filter((line) => !/^\|[-| ]+\|$/.test(line))
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        ),
    };
  if (first.startsWith('> ')) return { kind: 'quote', text: lines.map((line) => line.replace(/^> ?/, '')).join(' ') };
  if (first.startsWith('### ')) return { kind: 'heading', text: first.slice(4) };
  const item = /^(\d+\.|-) /;
  if (!item.test(first)) return { kind: 'text', text: lines.join(' ') };
  const items: string[] = [];
  for (const line of lines) {
    if (item.test(line)) items.push(line.replace(item, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: 'list', ordered: /^\d/.test(first), items };
}

/** The words of a text with what is emphasized or typed; links keep their words. */
export function readInline(text: string): { text: string; look: 'plain' | 'bold' | 'code' }[] {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**')) return { text: part.slice(2, -2), look: 'bold' };
      if (part.startsWith('`')) return { text: part.slice(1, -1), look: 'code' };
      return { text: part, look: 'plain' };
    });
}
