import { expect, test } from 'vitest';

import guide from '../../../docs/guide.md?raw';
import { reviewChapter } from '../features/shell/useHelpChapter';
import { VIEWS } from '../views';
import { SETTINGS_SECTIONS } from '../workbench/settingsSections';
import { readChapters, readInline } from './guideText';

test('every view has its chapter', () => {
  const chapters = new Set(readChapters(guide).map((chapter) => chapter.id));
  const places = [...Object.values(VIEWS), ...SETTINGS_SECTIONS].map(({ chapter }) => chapter);
  const steps = [
    reviewChapter({ is_single: false, stage: 'review' }),
    reviewChapter({ is_single: false, stage: 'match' }),
    reviewChapter({ is_single: true, stage: 'review' }),
    'send-and-correct-what-came-back',
  ];
  expect(steps.slice(0, 3)).toEqual(['repair-rows', 'import-a-spreadsheet', 'file-one-transaction']);
  expect([...places, ...steps].filter((chapter) => !chapters.has(chapter))).toEqual([]);
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
