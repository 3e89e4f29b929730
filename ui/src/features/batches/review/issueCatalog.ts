import catalog from '../../../../../docs/errors.md?raw';
import { readChapters } from '../../../values/guideText';

const CHAPTERS = readChapters(catalog);
/** Severity, title and repair of each code: the table before the first chapter. */
const ROWS = catalog.split(/^## /m)[0]?.split('\n') ?? [];

/** The entry of a code in the catalog, or null for a code of a later version. */
export function findIssueEntry(code: string) {
  const chapter = CHAPTERS.find((each) => each.title === code);
  const row = ROWS.find((line) => line.includes(`(#${code})`));
  const [severity, title, repair] = (row?.split('|') ?? []).slice(2).map((cell) => cell.trim());
  if (!chapter || !severity || !title || !repair) return null;
  return { severity, title, repair, blocks: chapter.blocks.slice(1) };
}
