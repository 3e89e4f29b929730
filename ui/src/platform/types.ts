import type { BoundaryError, ErrorCode, Operations } from '../bindings/operations';

/** A file dropped on the window: the core keeps it, the UI has a handle of it. */
export interface DroppedFile {
  handle: string;
  name: string;
  bytes: number;
}

/** Something in Bordereau that a link outside points at. */
export interface DeskLink {
  kind: 'transaction' | 'batch' | 'quote';
  id: string;
}

/** What the UI needs of its host. Two implementations: the Tauri window, and HTTP on loopback. */
export interface Platform {
  kind: 'tauri' | 'http';
  /** Runs an operation of the core; fails with `OperationError` only. */
  call<K extends keyof Operations>(operation: K, request: Operations[K]['request']): Promise<Operations[K]['answer']>;
  /** Files were dropped anywhere on the window. Gives back what ends the listening. */
  onDrop(dropped: (files: DroppedFile[]) => void): () => void;
  /** Files are held over the window, or no longer. */
  onDrag(over: (over: boolean) => void): () => void;
  /** A `bordereau://` link was followed; only a window of the system has them. To be called after `onDrop`. */
  onLink?(follow: (link: DeskLink) => void): () => void;
  /** Opens the system's dialog for printing the window's content. */
  print(): Promise<void>;
  /** The first view is there, ready to be typed into. */
  ready(): void;
}

/** The core's codes, and one for a core that has ended. */
export type FailureCode = ErrorCode | 'core_ended';

interface Failure extends Omit<BoundaryError, 'code'> {
  code: FailureCode;
}

/** The core's error with the operation that failed. */
export class OperationError extends Error {
  readonly boundary: Failure;
  readonly operation: keyof Operations;

  constructor(operation: keyof Operations, boundary: Failure) {
    super(boundary.message);
    this.name = 'OperationError';
    this.operation = operation;
    this.boundary = boundary;
  }
}

function isBoundaryError(value: unknown): value is BoundaryError {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value && 'details' in value;
}

/** Whatever a host threw, as the one error type. */
export function asOperationError(operation: keyof Operations, thrown: unknown): OperationError {
  if (thrown instanceof OperationError) return thrown;
  if (isBoundaryError(thrown)) return new OperationError(operation, thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new OperationError(operation, { code: 'internal', message, details: [], retryable: false });
}
