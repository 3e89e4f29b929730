import { expect, test } from 'vitest';

import { collectFiles } from './drop';

const file = (name: string) =>
  ({
    name,
    isDirectory: false,
    file: (take: (file: File) => void) => take(new File(['x'], name)),
  }) as unknown as FileSystemEntry;

/** A folder as a browser gives it: its children in parts of two. */
function folder(name: string, ...children: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    let at = 0;
    return {
      readEntries: (take: (part: FileSystemEntry[]) => void) => {
        take(children.slice(at, at + 2));
        at += 2;
      },
    };
  };
  return { name, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

/** A folder in a folder in a folder. */
const deep = (depth: number): FileSystemEntry =>
  depth === 0 ? file('bottom.pdf') : folder(`${depth}`, deep(depth - 1));

const many = Array.from({ length: 1100 }, (_, at) => file(`${at}.pdf`));

test.each([
  ['its files, in parts', [folder('a', file('1.pdf'), file('2.pdf'), file('3.pdf'))], ['1.pdf', '2.pdf', '3.pdf']],
  ['beside files', [file('0.pdf'), folder('a', file('1.pdf'))], ['0.pdf', '1.pdf']],
  ['folders within', [folder('a', folder('b', file('2.pdf')), file('1.pdf'))], ['1.pdf', '2.pdf']],
  ['nothing hidden', [folder('a', file('.DS_Store'), folder('.git', file('head')), file('1.pdf'))], ['1.pdf']],
  ['an empty one', [folder('a')], []],
  ['the deepest', [deep(8)], ['bottom.pdf']],
  ['not what lies deeper', [deep(9)], []],
])('a folder is opened: %s', async (_, entries, expected) => {
  expect((await collectFiles(entries)).map((each) => each.name)).toEqual(expected);
});

test('no more files than the core keeps', async () => {
  expect(await collectFiles([folder('a', ...many)])).toHaveLength(1000);
});
