import type { UploadState } from '../../bindings/operations';
import type { IconName } from '../../components/Icon';
import type { TagTone } from '../../components/Tag';

export const UPLOAD_STATE_LABELS: Record<UploadState, { word: string; tone: TagTone; icon?: IconName }> = {
  queued: { word: 'queued', tone: 'neutral', icon: 'clock' },
  sending: { word: 'sending', tone: 'info' },
  unknown: { word: 'checking with the service', tone: 'warn', icon: 'unknown' },
  sent: { word: 'sent', tone: 'ok', icon: 'check' },
  refused: { word: 'rejected', tone: 'error', icon: 'error' },
  cancelled: { word: 'canceled', tone: 'neutral', icon: 'skipped' },
};

/** `340 bytes`, `12 KB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
