import { escapeFormula } from '../values/formulaEscape';
import { useToasts } from '../operations/toasts';

/**
 * Puts text and its formatted form on the clipboard. A copy event works in every web view without a permission;
 * the clipboard interface is the second way. Says whether one of them did.
 */
export async function copyFormattedText(text: string, html: string): Promise<boolean> {
  let copied = false;
  const onCopy = (event: ClipboardEvent) => {
    if (!event.clipboardData) return;
    event.clipboardData.setData('text/plain', text);
    event.clipboardData.setData('text/html', html);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  document.addEventListener('copy', onCopy, true);
  try {
    document.execCommand('copy');
  } catch {
    copied = false;
  } finally {
    document.removeEventListener('copy', onCopy, true);
  }
  if (copied) return true;
  try {
    const item = new ClipboardItem({
      'text/plain': new Blob([text], { type: 'text/plain' }),
      'text/html': new Blob([html], { type: 'text/html' }),
    });
    await navigator.clipboard.write([item]);
    return true;
  } catch {
    return false;
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}

/**
 * A table as spreadsheets take it: cells by tab, and the same as HTML; none is run as a formula. The first row is the
 * heading, where there is one.
 */
export function formatTableForCopy(cells: string[][], hasHeading = true): { text: string; html: string } {
  const rows = cells.map((row) => row.map(escapeFormula));
  const text = rows.map((row) => row.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\r\n');
  const body = rows.map((row, at) => {
    const tag = hasHeading && at === 0 ? 'th' : 'td';
    return `<tr>${row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  });
  return { text, html: `<table>${body.join('')}</table>` };
}

/** Copies a table once there is one, and says whether it could. */
export function useCopyTable(build: () => string[][] | null | undefined): () => void {
  const { showToast } = useToasts();
  return () => {
    const cells = build();
    if (!cells) return showToast('Nothing to copy yet.');
    const { text, html } = formatTableForCopy(cells);
    return void copyFormattedText(text, html).then((copied) =>
      showToast(copied ? 'Copied as a table.' : 'Couldn’t copy to the clipboard.'),
    );
  };
}
