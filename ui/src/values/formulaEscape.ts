/** What a cell begins with that a spreadsheet program runs; the wide forms are read as the narrow ones in places. */
const RUN = /^(?:[=@\t\r\n\uff1d\uff20\uff0b\uff0d]|[+-](?![\d.,$ ]*$))/;

function isRun(cell: string): boolean {
  return RUN.test(cell.replace(/^'+/, ''));
}

/** A cell as it leaves for a spreadsheet, as the core's own files have it: never run as a formula. */
export function harmless(cell: string): string {
  return isRun(cell) ? `'${cell}` : cell;
}

/** The exact reverse: a cell that was copied here and comes back. */
export function restored(cell: string): string {
  return cell.startsWith("'") && isRun(cell) ? cell.slice(1) : cell;
}
