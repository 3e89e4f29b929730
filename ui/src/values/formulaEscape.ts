/** What a cell begins with that a spreadsheet program runs; the wide forms are read as the narrow ones in places. */
const FORMULA_START = /^(?:[=@\t\r\n\uff1d\uff20\uff0b\uff0d]|[+-](?![\d.,$ ]*$))/;

function isFormula(cell: string): boolean {
  return FORMULA_START.test(cell.replace(/^'+/, ''));
}

/** A cell as it leaves for a spreadsheet, as the core's own files have it: never run as a formula. */
export function escapeFormula(cell: string): string {
  return isFormula(cell) ? `'${cell}` : cell;
}

/** The exact reverse: a cell that was copied here and comes back. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
}
