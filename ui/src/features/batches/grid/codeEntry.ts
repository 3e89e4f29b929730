import type { NamedCode } from '../../../bindings/operations';

/** Separates several codes in a cell. */
const SEPARATOR = '|';

/** The last of several codes in a cell: the one that is typed. */
export function splitLastEntry(text: string): string {
  return text.slice(text.lastIndexOf(SEPARATOR) + 1).trim();
}

/** The cell with another last code. */
export function replaceLastEntry(text: string, code: string): string {
  const at = text.lastIndexOf(SEPARATOR);
  return at < 0 ? code : `${text.slice(0, at).trim()} ${SEPARATOR} ${code}`;
}

/** The code that a text is, or that has it as its name, in any case; nothing is guessed. */
export function findTypedCode(text: string, choices: readonly NamedCode[]): string | undefined {
  const typed = text.trim().toLowerCase();
  const found =
    choices.find(({ code }) => code.toLowerCase() === typed) ??
    choices.find(({ name }) => name.toLowerCase() === typed);
  return found?.code;
}
