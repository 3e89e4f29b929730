import { copyFormatted } from './clipboard';

/** How long a secret may lie on the clipboard. */
const LIES_MS = 30_000;

/** Puts a secret on the clipboard and takes it off again after a while. Says whether it is there. */
export async function copySecret(secret: string): Promise<boolean> {
  if (!(await copyFormatted(secret, secret))) return false;
  setTimeout(() => void takeOff(secret), LIES_MS);
  return true;
}

/** What a person copied since is left alone, as far as this page may know. */
async function takeOff(secret: string): Promise<void> {
  const now = await onClipboard();
  if (now !== null && now !== secret) return;
  if (await emptied()) return;
  // Some web views let a page write only while a key or a button is pressed: the next one does it.
  const then = () => {
    removeEventListener('pointerdown', then, true);
    removeEventListener('keydown', then, true);
    void emptied();
  };
  addEventListener('pointerdown', then, true);
  addEventListener('keydown', then, true);
}

/** The clipboard's text; null where the page may not read it. */
async function onClipboard(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}

/** A blank, because an empty text is not written everywhere. */
async function emptied(): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(' ');
    return true;
  } catch {
    return copyFormatted(' ', ' ');
  }
}
