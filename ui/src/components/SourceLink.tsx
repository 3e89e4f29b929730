import type { Sureness } from '../bindings/operations';
import { useNotices } from '../operations/toasts';
import { useDo } from '../operations/useOperation';
import type { IconName } from './Icon';
import type { Tone } from './Tag';

/** How sure a rule is: word, colour and sign. */
export const SURENESS: Record<Sureness, { word: string; tone: Tone; icon: IconName }> = {
  confirmed: { word: 'confirmed', tone: 'ok', icon: 'check' },
  announced: { word: 'announced', tone: 'info', icon: 'clock' },
  older: { word: 'older page', tone: 'warn', icon: 'clock' },
  conflicting: { word: 'sources conflict', tone: 'warn', icon: 'split' },
  not_found: { word: 'not found', tone: 'error', icon: 'unknown' },
};

/** A source opens in the system's browser, never in this window. */
export function Source({ title, url }: { title: string; url: string }) {
  const { mutate } = useDo('open_address');
  const { fail } = useNotices();
  if (!url.startsWith('https://')) return <span>{title}</span>;
  return (
    <button type="button" className="link-button" title={url} onClick={() => mutate({ url }, { onError: fail })}>
      {title || 'Source'}
    </button>
  );
}
