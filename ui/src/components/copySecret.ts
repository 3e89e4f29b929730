import { copyFormattedText } from './clipboard';

/** How long a secret may lie on the clipboard. */
const SECRET_LIFETIME_MS = 30_000;

/** Puts a secret on the clipboard and takes it off again after a while. Says whether it is there. */
export async function copySecret(secret: string): Promise<boolean> {
  if (!(await copyFormattedText(secret, secret))) return false;
  setTimeout(() => void clearSecret(secret), SECRET_LIFETIME_MS);
  return true;
}

/** What a person copied since is left alone, as far as this page may know. */
async function clearSecret(secret: string): Promise<void> {
  const now = await readClipboard();
  if (now !== null && now !== secret) return;
  if (await emptyClipboard()) return;
  // Some web views let a page write only while a key or a button is pressed: the next one does it.
  const clearOnNextPress = () => {
    removeEventListener('pointerdown', clearOnNextPress, true);
    removeEventListener('keydown', clearOnNextPress, true);
    void emptyClipboard();
  };
  addEventListener('pointerdown', clearOnNextPress, true);
  addEventListener('keydown', clearOnNextPress, true);
}

/** The clipboard's text; null where the page may not read it. */
async function readClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}

/** A blank, because an empty text is not written everywhere. */
async function emptyClipboard(): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(' ');
    return true;
  } catch {
    return copyFormattedText(' ', ' ');
  }
}
