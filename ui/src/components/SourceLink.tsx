import type { Confidence } from '../bindings/operations';
import { useOperationMutation, useToasts } from '../operations';
import type { TagLabel } from './Tag';

/** How sure a rule is: word, color, and icon. */
export const SURENESS_TAGS: Record<Confidence, TagLabel> = {
  confirmed: { word: 'confirmed', tone: 'ok', icon: 'check' },
  announced: { word: 'announced', tone: 'info', icon: 'clock' },
  secondary: { word: 'private sources only', tone: 'warn', icon: 'unknown' },
  older: { word: 'older source', tone: 'warn', icon: 'clock' },
  conflicting: { word: 'sources conflict', tone: 'warn', icon: 'split' },
  not_found: { word: 'not found', tone: 'error', icon: 'unknown' },
};

/** A source opens in the system's browser, never in this window. */
export function SourceLink({ title, url }: { title: string; url: string }) {
  const { mutate } = useOperationMutation('open_address');
  const { showError } = useToasts();
  if (!url.startsWith('https://')) return <span>{title}</span>;
  return (
    <button type="button" className="link-button" title={url} onClick={() => mutate({ url }, { onError: showError })}>
      {title || 'Source'}
    </button>
  );
}
