/* oxlint-disable no-await-in-loop -- Folders and parts one after the other: a large drop is bounded by that. */
import type { DroppedFile } from './types';

/** The core keeps as many handles. */
const FILES_MAX = 1000;
/** Folders within folders. */
const DEPTH_MAX = 8;
/** Files on their way to the host together. */
const MAX_UPLOADS = 8;

/** The drop of a page: the bytes go to the host, which keeps them and gives a handle. */
export function listenForDrop(token: string, dropped: (files: DroppedFile[]) => void): () => void {
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (!event.dataTransfer) return;
    void readDroppedFiles(event.dataTransfer)
      .then((files) => uploadFiles(token, files))
      .then((kept) => {
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
    // Moving from one element to another does not leave the window.
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

/** What was dropped, with the files of folders. Asked for at once: after its event the browser has forgotten it. */
async function readDroppedFiles(transfer: DataTransfer): Promise<File[]> {
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return entries.some((entry) => entry.isDirectory) ? collectFiles(entries) : files;
}

/** Folder by folder, as far as the core itself would look; what cannot be read is skipped. */
export async function collectFiles(entries: FileSystemEntry[]): Promise<File[]> {
  const files: File[] = [];
  let level = entries;
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth += 1) {
    const below: FileSystemEntry[] = [];
    for (const entry of level) {
      if (files.length >= FILES_MAX) return files;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory) below.push(...(await readFolder(entry as FileSystemDirectoryEntry)));
      else files.push(...(await readEntry(entry as FileSystemFileEntry)));
    }
    level = below;
  }
  return files;
}

function readEntry(entry: FileSystemFileEntry): Promise<File[]> {
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );
}

/** A browser returns a folder in parts, the last one empty. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const part = () => new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
  const children: FileSystemEntry[] = [];
  for (let some = await part(); some.length > 0 && children.length < FILES_MAX; some = await part())
    children.push(...some);
  return children;
}

async function uploadFiles(token: string, files: File[]): Promise<DroppedFile[]> {
  const kept: DroppedFile[] = [];
  for (let from = 0; from < files.length; from += MAX_UPLOADS) {
    const taken = await Promise.all(files.slice(from, from + MAX_UPLOADS).map((file) => uploadFile(token, file)));
    kept.push(...taken.filter((file) => file !== null));
  }
  return kept;
}

async function uploadFile(token: string, file: File): Promise<DroppedFile | null> {
  try {
    const answer = await fetch(`/drop?name=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'x-bordereau-token': token },
      body: file,
    });
    return answer.ok ? ((await answer.json()) as DroppedFile) : null;
  } catch {
    // It was moved or removed since, or the host has ended, which the next question to it tells.
    return null;
  }
}
