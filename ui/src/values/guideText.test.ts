import { expect, test } from 'vitest';

import guide from '../../../docs/guide.md?raw';
import { VIEWS } from '../views';
import { readChapters, readInline } from './guideText';

test('every view has its chapter', () => {
  const chapters = new Set(readChapters(guide).map((chapter) => chapter.id));
  const missing = Object.values(VIEWS).filter((view) => !chapters.has(view.chapter));
  expect(missing).toEqual([]);
});

test('no two views have one shortcut', () => {
  const shortcuts = Object.values(VIEWS).flatMap((view) => view.shortcut ?? []);
  expect(new Set(shortcuts).size).toBe(shortcuts.length);
});

test('lists, tables, commands and emphasis are read', () => {
  const [chapter] = readChapters(
    '# Page\n\n## One thing\n\n1. First\n   goes on\n2. Next\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```sh\nrun\n\nit\n```\n',
  );
  expect(chapter?.id).toBe('one-thing');
  expect(chapter?.blocks).toEqual([
    { kind: 'list', ordered: true, items: ['First goes on', 'Next'] },
    {
      kind: 'table',
      rows: [
        ['A', 'B'],
        ['1', '2'],
      ],
    },
    { kind: 'code', text: 'run\n\nit' },
  ]);
  expect(readInline('Press **Ctrl+K** or `x`, see [this](#that).')).toEqual([
    { text: 'Press ', look: 'plain' },
    { text: 'Ctrl+K', look: 'bold' },
    { text: ' or ', look: 'plain' },
    { text: 'x', look: 'code' },
    { text: ', see this.', look: 'plain' },
  ]);
});
