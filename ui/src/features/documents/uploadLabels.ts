import type { UploadState } from '../../bindings/operations';
import type { TagLabel } from '../../components';

export const UPLOAD_STATE_LABELS: Record<UploadState, TagLabel> = {
  queued: { word: 'queued', tone: 'neutral', icon: 'clock' },
  sending: { word: 'sending', tone: 'info' },
  unknown: { word: 'checking with the service', tone: 'warn', icon: 'unknown' },
  sent: { word: 'sent', tone: 'ok', icon: 'check' },
  refused: { word: 'rejected', tone: 'error', icon: 'error' },
  canceled: { word: 'canceled', tone: 'neutral', icon: 'skipped' },
};
