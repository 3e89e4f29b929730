import type { DroppedFile } from './types';

/** The drop of a page: the bytes go to the host, which keeps them and gives a handle. */
export function listenForDrop(token: string, dropped: (files: DroppedFile[]) => void): () => void {
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    void Promise.all(files.map((file) => hand(token, file))).then((taken) => {
      const kept = taken.filter((file) => file !== null);
      if (kept.length > 0) dropped(kept);
    });
  };
  window.addEventListener('drop', onDrop);
  return () => window.removeEventListener('drop', onDrop);
}

/** Without this the page would leave for the dropped file. */
export function listenForDrag(over: (over: boolean) => void): () => void {
  const onOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(true);
  };
  const onLeave = (event: DragEvent) => {
    // Leaving one element for another is no leaving of the window.
    if (event.relatedTarget === null) over(false);
  };
  const onEnd = () => over(false);
  window.addEventListener('dragover', onOver);
  window.addEventListener('dragleave', onLeave);
  window.addEventListener('drop', onEnd);
  return () => {
    window.removeEventListener('dragover', onOver);
    window.removeEventListener('dragleave', onLeave);
    window.removeEventListener('drop', onEnd);
  };
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

async function hand(token: string, file: File): Promise<DroppedFile | null> {
  try {
    const answer = await fetch(`/drop?name=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'x-bordereau-token': token },
      body: file,
    });
    return answer.ok ? ((await answer.json()) as DroppedFile) : null;
  } catch {
    // A folder cannot be read by a page: the window of the program takes it.
    return null;
  }
}
