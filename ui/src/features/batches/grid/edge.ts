/** Where Ctrl and an arrow go in a row: the end of the filled cells, or the next filled one, or the end of the row. */
export function findEdge(texts: string[], from: number, backwards: boolean): number {
  const step = backwards ? -1 : 1;
  const isFilled = (place: number) => (texts[place] ?? '').trim() !== '';
  const isInside = isFilled(from) && isFilled(from + step);
  let place = from;
  while (place + step >= 0 && place + step < texts.length) {
    if (isInside && !isFilled(place + step)) break;
    place += step;
    if (!isInside && isFilled(place)) break;
  }
  return place;
}
