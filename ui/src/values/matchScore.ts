/** Search by name and code, for pickers and the palette. */

function normalizeText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim();
}

/** The trade's words as the core lists them: without marks, `&` is a word. */
function spellOut(text: string): string {
  return text
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(' ');
}

/** How well one of the trade's words fits: the whole word before a name's beginning, its beginning before another name's. */
function tradeScore(query: string, words: readonly string[]): number | null {
  const asked = spellOut(query);
  if (asked === '') return null;
  if (words.includes(asked)) return 920;
  return asked.length > 2 && words.some((word) => word.startsWith(asked)) ? 810 : null;
}

/** All letters of the query in order; closer together is better. Null when one is missing. */
function scatteredScore(query: string, text: string): number | null {
  let at = -1;
  let gaps = 0;
  for (const letter of query) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    if (at >= 0) gaps += next - at - 1;
    at = next;
  }
  return 40 - Math.min(gaps, 39);
}

/**
 * How well a name with its code fits what was typed, larger is better, null when it does not.
 * An exact code comes first, then the start of the code or its number, the start of the name, of a word, of every word.
 */
export function matchScore(typed: string, name: string, code = '', tradeWords: readonly string[] = []): number | null {
  const query = normalizeText(typed);
  if (query === '') return 0;
  const scores = [nameScore(query, name, code), tradeScore(query, tradeWords)].filter((score) => score !== null);
  return scores.length === 0 ? null : Math.max(...scores);
}

function nameScore(query: string, name: string, code: string): number | null {
  const title = normalizeText(name);
  const mark = normalizeText(code);
  if (query === mark) return 1000;
  if (query === title) return 950;
  if (mark !== '' && mark.startsWith(query)) return 900;
  if (mark.includes('-') && query.length >= 2 && mark.slice(mark.indexOf('-') + 1).startsWith(query)) return 850;
  if (title.startsWith(query)) return 800;
  const words = title.split(/[^a-z0-9&]+/).filter(Boolean);
  if (words.some((word) => word.startsWith(query))) return 700;
  const asked = query.split(/\s+/);
  const every = asked.every(
    (part) => words.some((word) => word.startsWith(part)) || (mark !== '' && mark.includes(part)),
  );
  if (every) return 600;
  return title.includes(query) ? 500 : null;
}

/** Like `fit`, and letters scattered over the name count too: `cmp` finds `Compare states`. */
export function fuzzyMatchScore(typed: string, name: string, code = ''): number | null {
  const exact = matchScore(typed, name, code);
  if (exact !== null) return exact;
  const query = normalizeText(typed).replaceAll(' ', '');
  // Digits must be together: scattered over amounts and dates they would match anything.
  return query.length > 1 && !/\d/.test(query) ? scatteredScore(query, normalizeText(name)) : null;
}

/** The items that fit, best first; equal ones keep their order. */
export function rankMatches<T>(items: readonly T[], score: (item: T) => number | null): T[] {
  return items
    .map((item, at) => ({ item, at, value: score(item) }))
    .filter((found): found is { item: T; at: number; value: number } => found.value !== null)
    .toSorted((a, b) => b.value - a.value || a.at - b.at)
    .map((found) => found.item);
}
