/** The line between two columns, or the border of the active cell. */
const LINE = 1;

/**
 * Pixels that a column's heading and its texts need in the rows that are drawn; null where its heading isn't drawn. Each
 * cell is as wide as its content for a moment: marks, weights and paddings count as they are drawn.
 */
export function measureColumn(grid: HTMLElement, place: number): number | null {
  const cells = [...grid.querySelectorAll<HTMLElement>(`[data-heading="${place}"], [data-column="${place}"]`)];
  if (cells[0]?.dataset['heading'] === undefined) return null;
  for (const cell of cells) cell.style.width = 'max-content';
  const widths = cells.map((cell) => cell.getBoundingClientRect().width - (cell.offsetWidth - cell.clientWidth));
  for (const cell of cells) cell.style.width = '';
  return Math.ceil(Math.max(...widths)) + LINE;
}
